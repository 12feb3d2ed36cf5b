"""The lesson's attention by NumPy alone: torch's draws, the lesson's digits."""

from dataclasses import fields

import numpy as np
import pytest

from posenc import attention_walkthrough
from posenc.lesson_attention import LessonAttention, lesson_attention

FLOAT32 = 1e-6
"""torch draws and computes in float32."""
# recorded from the lesson's code, torch seed 42
Q_0_1 = [0.027347251772880554, 0.1169435977935791, -0.27976417541503906, 0.30056220293045044]
Q_0_1 += [-0.5601635575294495, -0.6276330947875977, -0.5665505528450012, -0.6104522347450256]
Q_ROTATED_0_1 = [-0.08362885564565659, 0.08619681000709534, -0.3083726763725281, 0.27113083004951477]
Q_ROTATED_0_1 += [-0.553859293460846, -0.6332032084465027, -0.5659397840499878, -0.6110184788703918]
WEIGHTS_0_5 = [0.18119193613529205, 0.11981336027383804, 0.27905821800231934]
WEIGHTS_0_5 += [0.1781511902809143, 0.10505794733762741, 0.13672739267349243]
OUT_0_0 = [-0.02105274796485901, -0.1849173903465271, 0.31712377071380615, 0.12672320008277893]


def test_the_lessons_digits():
    lesson = lesson_attention()
    for found, expected in [
        (lesson.q[0, 1], Q_0_1),
        (lesson.q_rotated[0, 1], Q_ROTATED_0_1),
        (lesson.weights[0, 5], WEIGHTS_0_5),
        (lesson.out[0, 0, :4], OUT_0_0),
    ]:
        np.testing.assert_allclose(found, expected, rtol=0, atol=FLOAT32)


@pytest.mark.parametrize("sample", [0, 1])
def test_every_step_is_torchs(sample):
    lesson, walk = lesson_attention(shift=3), attention_walkthrough(shifts=(3,), sample=sample)
    for field in fields(LessonAttention):
        ours = getattr(lesson, field.name)[sample]
        theirs = np.asarray(getattr(walk, field.name)).reshape(ours.shape)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=FLOAT32, err_msg=field.name)


def test_the_draw_leaves_numpys_own_generator_alone():
    np.random.seed(5)
    expected = np.random.standard_normal(3)
    np.random.seed(5)
    lesson_attention()
    np.testing.assert_array_equal(np.random.standard_normal(3), expected)


def test_weights_and_output_stay_when_all_positions_move():
    here, there = lesson_attention(), lesson_attention(shift=-1000)
    assert np.abs(here.q_rotated - there.q_rotated).max() > 0.1
    np.testing.assert_allclose(there.weights, here.weights, rtol=0, atol=1e-13)
    np.testing.assert_allclose(there.out, here.out, rtol=0, atol=1e-13)


@pytest.mark.parametrize("other", [{"base": 100.0}, {"pairing": "half"}, {"shift": 1}])
def test_settings_are_used(other):
    assert np.abs(lesson_attention(**other).q_rotated - lesson_attention().q_rotated).max() > 0.01


def test_a_shift_too_far_is_refused():
    with pytest.raises(ValueError, match=r"^shift must be an integer from -1000000000 to 1000000000, got 10000000000"):
        lesson_attention(shift=10**10)
