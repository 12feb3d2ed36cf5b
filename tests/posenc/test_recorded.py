"""The data that comes with the package: what it holds, and that what was recorded is still so."""

import json

import numpy as np
import pytest
import torch

from posenc import torch_embedding_error, trained_table
from posenc.recorded import DATA


def test_torch_still_says_what_was_recorded():
    recorded = torch_embedding_error()
    # What the record's own ``code`` says.
    with pytest.raises(IndexError) as caught:
        torch.nn.functional.embedding(torch.tensor([8]), torch.zeros(8, 16))
    assert recorded.code == "torch.nn.functional.embedding(torch.tensor([8]), torch.zeros(8, 16))"
    assert (type(caught.value).__name__, str(caught.value)) == (recorded.error, recorded.message)


def test_record_names_library_version_and_device():
    stored = json.loads((DATA / "torch_embedding_error.json").read_text(encoding="utf-8"))
    assert (stored["library"], stored["device"]) == ("torch", "cpu")
    assert torch_embedding_error().version == stored["version"] == "2.13.0"


def test_trained_rows_are_the_model_s_own_in_float16():
    table = trained_table()
    assert table.shape == (128, 96)
    assert table.dtype == np.float64
    assert np.isfinite(table).all()
    np.testing.assert_array_equal(table, table.astype(np.float16))
    # The first numbers of the model's own file.
    np.testing.assert_allclose(table[0, :3], [-0.0856, -0.03293, -0.01703], rtol=0, atol=5e-5)


def test_parts_are_the_first_rows_and_columns_and_nobody_shares_them():
    part = trained_table(5, 7)
    np.testing.assert_array_equal(part, trained_table()[:5, :7])
    part[:] = 0
    assert np.any(trained_table(5, 7) != 0)


@pytest.mark.parametrize("settings", [{"rows": 0}, {"rows": 129}, {"dim": 97}, {"dim": 0}, {"rows": 1.5}])
def test_no_more_is_given_than_there_is(settings):
    name = next(iter(settings))
    most = {"rows": 128, "dim": 96}[name]
    with pytest.raises(ValueError, match=f"{name} must be an integer from 1 to {most}, got "):
        trained_table(**settings)


def test_every_file_of_data_has_its_origin_written_down():
    told = (DATA / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in DATA.iterdir() if path.name != "README.md" and path.name not in told] == []


def test_data_stays_small():
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 512 * 1024
