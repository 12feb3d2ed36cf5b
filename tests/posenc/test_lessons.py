

def test_weights_are_the_same_wherever_the_content_stands():
    near, far = lessons.shifted_weights((0, 1000))
    # float64 angles at 1,000 positions
    np.testing.assert_allclose(near, far, rtol=0, atol=1e-12)
    np.testing.assert_allclose(near.sum(axis=-1), 1.0, rtol=0, atol=1e-12)
    assert near.shape == (6, 6)


@pytest.mark.parametrize(("name", "value"), [("seq_len", 0), ("head_dim", 7), ("seed", -1), ("shifts", (0.5,))])
def test_shifted_weights_refuse_what_has_no_weights(name, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        lessons.shifted_weights(**{"shifts": (0,), name: value})
