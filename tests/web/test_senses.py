"""What a page does besides being looked at: cards move, sounds are made, the screen stays awake, people are called."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.server.serving import Running
from tests.web.browsing import Tab, Visitors, asked_anew, play_one, since
from tests.web.evenings import Evening
from tests.web.stages import settled, staged

COUNTED: Final = """(() => {
    const count = (owner, method, counter) => {
        const act = owner.prototype[method];
        window[counter] = 0;
        owner.prototype[method] = function (...words) {
            window[counter] += 1;
            return act.apply(this, words);
        };
    };
    count(Element, 'animate', 'moves');
    count(AudioScheduledSourceNode, 'start', 'tones');
})()"""
"""Counts what moves, and what is to be heard."""

LOCKED: Final = """(() => {
    window.locks = [];
    const request = async () => {
        const lock = {released: false, release: async () => { lock.released = true; }};
        locks.push(lock);
        return lock;
    };
    Object.defineProperty(navigator, 'wakeLock', {value: {request}});
})()"""

SHOW: Final = """isHidden => {
    Object.defineProperty(document, 'hidden', {configurable: true, get: () => isHidden});
    document.dispatchEvent(new Event('visibilitychange'));
}"""

CALLED: Final = """async count => {
    const worker = await navigator.serviceWorker.getRegistration();
    const called = worker ? await worker.getNotifications() : [];
    return called.length === count;
}"""


async def at_table(those: Visitors, script: str, **wishes: Any) -> Tab:
    """Somebody who is to play a card, with a browser that tells on the page."""
    tab = await staged(those, "schadenfreude", **wishes)
    await tab.context.add_init_script(script)
    await tab.page.reload()
    await settled(tab)
    return tab


async def play_until_asked_again(tab: Tab) -> None:
    before = await since(tab)
    await play_one(tab)
    await asked_anew(tab, before)


@pytest.mark.parametrize(
    ("motion", "reduced", "is_moving"),
    [("normal", "no-preference", True), ("none", "no-preference", False), ("normal", "reduce", False)],
)
def test_cards_move_unless_somebody_does_not_want_that(evening: Evening, motion: str, reduced: str, is_moving: bool) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await at_table(those, COUNTED, settings={"motion": motion}, reduced_motion=reduced)
        await play_until_asked_again(tab)
        assert (await tab.page.evaluate("moves") > 0) == is_moving

    evening.play(scene)


@pytest.mark.parametrize("sound", [True, False])
def test_whoever_wants_to_hears_that_cards_are_played_and_whose_turn_it_is(evening: Evening, sound: bool) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await at_table(those, COUNTED, settings={"sound": sound})
        await play_until_asked_again(tab)
        assert (await tab.page.evaluate("tones") > 0) == sound

    evening.play(scene)


def test_the_screen_stays_awake_for_as_long_as_somebody_plays(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await at_table(those, LOCKED)
        page = tab.page
        assert await page.evaluate("locks.map(lock => lock.released)") == [False]
        await page.evaluate("locks[0].released = true")  # as browsers do when the page is not seen any more
        await page.evaluate(SHOW, False)
        await page.wait_for_function("() => locks.length === 2")
        await page.get_by_role("button", name="Menu").click()
        await page.get_by_role("button", name="All games").click()
        await page.wait_for_function("() => locks[1].released")

    evening.play(scene)


def test_whoever_looks_elsewhere_is_called_once_and_no_longer_than_need_be(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await staged(those, "schadenfreude", settings={"notify": True}, permissions=["notifications"])
        page = tab.page
        assert await page.evaluate(CALLED, 0)
        await page.evaluate(SHOW, True)
        await play_until_asked_again(tab)
        await page.wait_for_function(CALLED, arg=1)
        await page.evaluate(SHOW, False)
        await play_one(tab)
        await page.wait_for_function(CALLED, arg=0)

    evening.play(scene)
