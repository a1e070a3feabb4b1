"""Animated cards, sounds, the wake lock and notifications."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.web.browsers import Browsers, Tab, play_a_card, question_of, until_asked_again
from tests.web.session import in_browser
from tests.web.situations import open_situation, until_settled

COUNTERS: Final = """(() => {
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
"""Counts animations and tones."""

FAKE_WAKE_LOCK: Final = """(() => {
    window.locks = [];
    const request = async () => {
        const lock = {released: false, release: async () => { lock.released = true; }};
        locks.push(lock);
        return lock;
    };
    Object.defineProperty(navigator, 'wakeLock', {value: {request}});
})()"""

SET_HIDDEN: Final = """isHidden => {
    Object.defineProperty(document, 'hidden', {configurable: true, get: () => isHidden});
    document.dispatchEvent(new Event('visibilitychange'));
}"""

HAS_NOTIFICATIONS: Final = """async count => {
    const worker = await navigator.serviceWorker.getRegistration();
    const shown = worker ? await worker.getNotifications() : [];
    return shown.length === count;
}"""


async def at_table(browsers: Browsers, script: str, **options: Any) -> Tab:
    """A tab that is asked for a card, with this script in its page."""
    tab = await open_situation(browsers, "schadenfreude", **options)
    await tab.context.add_init_script(script)
    await tab.page.reload()
    await until_settled(tab)
    return tab


async def play_until_asked_again(tab: Tab) -> None:
    before = await question_of(tab)
    await play_a_card(tab)
    await until_asked_again(tab, before)


@pytest.mark.parametrize(
    ("motion", "reduced", "animates"),
    [("normal", "no-preference", True), ("none", "no-preference", False), ("normal", "reduce", False)],
)
@in_browser()
async def test_cards_are_animated_unless_motion_is_off(
    browsers: Browsers, motion: str, reduced: str, animates: bool
) -> None:
    tab = await at_table(browsers, COUNTERS, settings={"motion": motion}, reduced_motion=reduced)
    await play_until_asked_again(tab)
    assert (await tab.page.evaluate("moves") > 0) == animates


@pytest.mark.parametrize("sound", [True, False])
@in_browser()
async def test_sounds_are_played_only_if_they_are_on(browsers: Browsers, sound: bool) -> None:
    tab = await at_table(browsers, COUNTERS, settings={"sound": sound})
    await play_until_asked_again(tab)
    assert (await tab.page.evaluate("tones") > 0) == sound


@in_browser()
async def test_the_screen_stays_awake_during_a_game(browsers: Browsers) -> None:
    tab = await at_table(browsers, FAKE_WAKE_LOCK)
    page = tab.page
    assert await page.evaluate("locks.map(lock => lock.released)") == [False]
    await page.evaluate("locks[0].released = true")  # as browsers do when the page is hidden
    await page.evaluate(SET_HIDDEN, False)
    await page.wait_for_function("() => locks.length === 2")
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("button", name="All games").click()
    await page.wait_for_function("() => locks[1].released")


@in_browser()
async def test_a_hidden_page_shows_one_notification_until_the_question_is_answered(browsers: Browsers) -> None:
    tab = await open_situation(browsers, "schadenfreude", settings={"notify": True}, permissions=["notifications"])
    page = tab.page
    assert await page.evaluate(HAS_NOTIFICATIONS, 0)
    await page.evaluate(SET_HIDDEN, True)
    await play_until_asked_again(tab)
    await page.wait_for_function(HAS_NOTIFICATIONS, arg=1)
    await page.evaluate(SET_HIDDEN, False)
    await play_a_card(tab)
    await page.wait_for_function(HAS_NOTIFICATIONS, arg=0)
