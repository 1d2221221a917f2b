from referee.web.pin import FIRST_WAIT_S, FREE_TRIES, LONGEST_WAIT_S, TRIES_AN_HOUR, PinGate


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_right_pin_opens() -> None:
    gate = PinGate("123456", Clock())
    assert gate.try_pin("a", "123456")
    assert not gate.try_pin("a", "123457")
    assert not gate.try_pin("a", "")
    assert not gate.try_pin("a", "１２３４５６")


def test_guessing_gets_slower_and_right_pin_must_wait_too() -> None:
    clock = Clock()
    gate = PinGate("123456", clock)
    for _ in range(FREE_TRIES):
        assert gate.wait_s("a") == 0
        assert not gate.try_pin("a", "000000")
    assert gate.wait_s("a") == FIRST_WAIT_S
    assert not gate.try_pin("a", "123456")
    assert gate.try_pin("b", "123456"), "another device is not punished"
    clock.now += FIRST_WAIT_S
    assert not gate.try_pin("a", "000001")
    assert gate.wait_s("a") == 2 * FIRST_WAIT_S
    clock.now += 2 * FIRST_WAIT_S
    assert gate.try_pin("a", "123456")
    assert gate.wait_s("a") == 0


def test_waiting_never_grows_beyond_the_longest_wait() -> None:
    clock = Clock()
    gate = PinGate("123456", clock)
    longest = 0.0
    for _ in range(30):
        gate.try_pin("a", "000000")
        wait = gate.wait_s("a")
        if wait <= LONGEST_WAIT_S:
            longest = max(longest, wait)
        clock.now += min(wait, LONGEST_WAIT_S)
    assert longest == LONGEST_WAIT_S


def test_many_addresses_together_are_stopped() -> None:
    clock = Clock()
    gate = PinGate("123456", clock)
    tried = 0
    for number in range(1000):
        if gate.wait_s(f"fe80::{number}") > 0:
            break
        gate.try_pin(f"fe80::{number}", "000000")
        tried += 1
    assert tried == TRIES_AN_HOUR
    clock.now += 3601
    assert gate.wait_s("a") == 0
