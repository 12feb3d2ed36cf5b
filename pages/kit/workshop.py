"""Where a lecturer takes figures along: a list to choose from, and a file that is made in the background."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.kit.collection import all_figures, catalogue, collect
from pages.kit.export.picture import Sheet
from pages.kit.export.press import PRESS, Job, State
from pages.kit.export.slides import MAKERS
from pages.kit.failure import LOG, entry
from pages.kit.saving import FileError, save_button
from pages.kit.session import drop_job, home
from pages.kit.settings import Choice
from pages.kit.subset import ALL, NONE, Subset
from pages.kit.text import Label, prose

if TYPE_CHECKING:
    from pages.kit.frame import Page

EVERY = Label(zh="全选", en="All")
NO = Label(zh="全不选", en="None")
MAKE = Label(zh="生成（{n} 张图）", en="Make the file ({n})")
AGAIN = Label(zh="重新生成（{n} 张图）", en="Make it again ({n})")
CANCEL = Label(zh="取消", en="Cancel")
DOWNLOAD = Label(zh="下载 {name}（{size} MB）", en="Download {name} ({size} MB)")
BEGINNING = Label(zh="正在准备……", en="Getting ready…")
MAKING = Label(zh="正在画第 {k} 张，共 {n} 张", en="Drawing figure {k} of {n}")
FINISHING = Label(zh="正在收尾……", en="Finishing…")
QUEUE = Label(
    zh="正在给别人生成文件，前面还有 {k} 份；轮到后自动开始。",
    en="Somebody else’s slides are being made ({k} before yours). Yours start by themselves.",
)
STAY = Label(zh="离开这一页就会取消。", en="Leaving this page cancels it.")
READY = Label(zh="做好了。离开这一页，文件就会删掉。", en="Ready. The file is deleted when you leave this page.")
EARLIER = Label(
    zh="这份文件是按之前的选择做的。离开这一页，它就会删掉。",
    en="This file was made with your earlier choices. It is deleted when you leave this page.",
)
FULL = Label(zh="排队的人太多了，请过一会儿再试。", en="Too many are waiting. Please try again in a while.")
FAILED = Label(
    zh="文件没能做出来。不是你的操作有误；出错的细节已记入服务器日志。",
    en="The file could not be made. You did nothing wrong; the server’s log has the details.",
)
GONE = Label(zh="文件放得太久，已经删掉，请重新生成。", en="The file was put away to make room. Please make it again.")
STOPPED = Label(zh="已取消。", en="Cancelled.")

POLL, GLANCE = 0.7, 30.0
"""Seconds between two looks at a file that is being made; at one that is there, as long as it is."""

STYLE = """<style>
.st-key-shelf [data-testid=stButtonGroup] button {max-width: 100%;}
.st-key-shelf [data-testid=stButtonGroup] p {white-space: normal; text-align: start;}
.st-key-shelf [data-testid=stWidgetLabel] p {font-weight: 600;}
</style>"""


def show(page: "Page", file: Choice[str], size: Choice[str], background: Choice[str]) -> None:
    """The figures to choose from, and beside them (on a phone: below) what makes the file."""
    shelf, press = st.columns([2.1, 1], gap="large")
    with press, st.container(border=True):
        suffix = page.choose(file)
        sheet = Sheet(page.choose(size), page.choose(background), home=home(page.concept))
        under = st.container()
    with shelf, st.container(key="shelf"):
        chosen = choose(page)
    with under:
        _Making(page, chosen, suffix, sheet).show()


def choose(page: "Page") -> dict[str, tuple[str, ...]]:
    """Every page with its figures, to tick; gives page -> names of the chosen figures."""
    folders = tuple(st.session_state["pages"])
    setting = all_figures(folders)
    value = page.session.value(setting)
    chosen = setting.chosen(value)
    st.html(STYLE)
    with st.container(horizontal=True):
        for label, all_or_none in ((EVERY, ALL), (NO, NONE)):
            others = {name: str(given) for name, given in page.session.shown.items()}
            st.page_link(
                st.session_state["tools"][page.concept],
                label=label(page.lang),
                icon="",
                query_params={**others, setting.name: all_or_none},
            )
    for folder, names in catalogue(folders).items():
        key = f"{setting.name}.{folder}.{page.lang}.{page.session.visit}"
        here = chosen.get(folder, ())
        picked = st.pills(
            prose(folder, page.lang)["title"],
            tuple(names),
            selection_mode="multi",
            default=[name for name in names if name in here],
            format_func=lambda name, names=names: names[name](page.lang),
            key=key,
        )
        page.session.watch(key, picked, partial(_with_page, setting, chosen, folder))
    return chosen


def _with_page(
    setting: Subset, chosen: Mapping[str, tuple[str, ...]], folder: str, picked: list[str]
) -> dict[str, str]:
    return {setting.name: setting.written({**chosen, folder: tuple(picked)})}


class _Making:
    """The visitor's file: asked for, on its way, or there."""

    def __init__(self, page: "Page", chosen: Mapping[str, tuple[str, ...]], suffix: str, sheet: Sheet) -> None:
        self.page, self.chosen, self.suffix, self.sheet = page, chosen, suffix, sheet
        self.count = sum(map(len, chosen.values()))
        self.order = (tuple(chosen.items()), page.lang, suffix, sheet)

    def show(self) -> None:
        """What can be done now. While a file is being made, this part alone looks after it."""
        job: Job | None = st.session_state.get("job")
        is_under_way = job is not None and not job.is_over
        is_there = job is not None and job.state is State.DONE
        every = POLL if is_under_way else GLANCE if is_there else None
        st.fragment(self._draw, run_every=every)(is_under_way)

    def _draw(self, was_under_way: bool) -> None:
        job: Job | None = st.session_state.get("job")
        state = job.look() if job else None
        if was_under_way and job and job.is_over:
            st.rerun()  # Nobody needs to look any more.
        if job and not job.is_over:
            self._progress(job)
            return
        size = len(job.file or b"") if job else 0
        is_there = state is State.DONE and size > 0
        is_current = is_there and st.session_state.get("ordered") == self.order
        if job and is_there:
            self._download(job, size, is_current=is_current)
        elif job:
            self._told(job)
        if st.button(
            self.page.say(AGAIN if is_current else MAKE, n=self.count),
            key="make",
            type="secondary" if is_current else "primary",
            disabled=self.count == 0,
            width="stretch",
        ):
            self._start()

    def _start(self) -> None:
        drop_job()
        session = self.page.session
        written = {name: str(value) for name, value in session.values.items()}
        figures = partial(collect, self.chosen, self.page.lang, written, is_strict=False)
        name = f"posenc-{self.page.lang}.{self.suffix}"
        job = Job(name, figures, partial(MAKERS[self.suffix], sheet=self.sheet), self.count)
        if PRESS.start(job):
            st.session_state.update(job=job, ordered=self.order)
            st.rerun()
        st.warning(FULL(self.page.lang))

    def _progress(self, job: Job) -> None:
        page = self.page
        ahead = PRESS.ahead(job)
        if job.state is State.WAITING and ahead:
            st.progress(0.0, page.say(QUEUE, k=ahead))
        elif job.done >= job.total:
            st.progress(1.0, FINISHING(page.lang))
        elif job.has_begun:
            st.progress(job.done / job.total, page.say(MAKING, k=job.done + 1, n=job.total))
        else:
            st.progress(0.0, BEGINNING(page.lang))
        if st.button(CANCEL(page.lang), key="cancel", width="stretch"):
            job.cancel()
            st.session_state["job"] = job
            st.rerun()
        st.caption(STAY(page.lang))

    def _download(self, job: Job, size: int, *, is_current: bool) -> None:
        save_button(
            self.page.say(DOWNLOAD, name=job.name, size=f"{size / 2**20:.1f}"),
            partial(_file, job),
            job.name,
            key="download",
            type="primary" if is_current else "secondary",
            icon=":material/download:",
            width="stretch",
        )
        st.caption((READY if is_current else EARLIER)(self.page.lang))

    def _told(self, job: Job) -> None:
        """What became of a file that is not there."""
        if job.fault is not None:
            LOG.error(entry(self.page.concept, self.page.session, job.fault))
            job.fault = None
        said = {State.CANCELLED: STOPPED, State.GONE: GONE}.get(job.state, FAILED)
        (st.warning if said is FAILED else st.caption)(said(self.page.lang))


def _file(job: Job) -> bytes:
    """The job's file.

    Raises:
        FileError: It was put away meanwhile.
    """
    if job.file is None:
        raise FileError("the file was put away to make room for others; make it again")
    return job.file
