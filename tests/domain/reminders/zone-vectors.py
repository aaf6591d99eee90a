"""Makes zone-vectors.json, what an independent clock says: python3 tests/domain/reminders/zone-vectors.py zone names on stdin, one a line.

Every change of the clocks from 2020 to 2030, by zone (zones that change alike stand together), and what the presets come to
around midnight, the ends of months and years, and each change of 2026, in a dozen zones: now, this evening and tomorrow morning,
in seconds since 1970. `npm run format` lays it out.
"""
import json
import sys
import textwrap
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

UTC = timezone.utc
BEGIN, END = datetime(2020, 1, 1, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)
DOZEN = """America/New_York America/Santiago America/St_Johns Asia/Jerusalem Asia/Kolkata Asia/Tehran Australia/Lord_Howe
Africa/Casablanca Africa/Cairo Atlantic/Azores Europe/London Pacific/Chatham Pacific/Kiritimati America/Nuuk Asia/Beirut""".split()


def offset(zone, moment):
    return int(moment.astimezone(zone).utcoffset().total_seconds() // 60)


def changes(zone):
    """Each as [moment in minutes since 1970, offset before, offset after]."""
    found, at = [], BEGIN
    while at < END:
        then = min(at + timedelta(days=5), END)
        if offset(zone, at) != offset(zone, then):
            low, high = at, then
            while high - low > timedelta(minutes=1):
                middle = low + (high - low) // 2
                middle = middle.replace(second=0, microsecond=0)
                if middle == low:
                    break
                low, high = (middle, high) if offset(zone, middle) == offset(zone, low) else (low, middle)
            found.append([int(high.timestamp() // 60), offset(zone, low), offset(zone, high)])
            at = high
        else:
            at = then
    return found


def wall(zone, day, hour):
    return day.replace(hour=hour, minute=0, second=0, microsecond=0, tzinfo=zone, fold=0).astimezone(UTC)


def presets(zone, moments):
    numbers = []
    for now in moments:
        today = now.astimezone(zone).replace(tzinfo=None)
        evening = wall(zone, today, 21)
        if evening <= now:
            evening = wall(zone, today + timedelta(days=1), 21)
        morning = wall(zone, today + timedelta(days=1), 9)
        numbers += [int(moment.timestamp()) for moment in (now, evening, morning)]
    return numbers


def moments_of(zone, turned):
    local = ["2026-12-31T23:59:59", "2027-01-01T00:00:00", "2026-02-28T23:59:59", "2026-03-01T00:00:00", "2028-02-28T22:00:00",
             "2028-02-29T23:59:59", "2026-10-31T21:00:00", "2026-04-30T20:59:59", "2026-06-30T08:59:59"]
    ends = [datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC) for text in local]
    of_year = [at for at, _, _ in turned if datetime.fromtimestamp(at * 60, UTC).year == 2026]
    hours = [-37, -25, -24, -13, -12, -3, -1, 0, 1, 3, 12]
    return ends + [datetime.fromtimestamp(at * 60, UTC) + timedelta(hours=h) for at in of_year for h in hours]


def main():
    known = available_timezones()
    names = [name for name in sys.stdin.read().split() if name in known]
    alike = {}
    for name in names:
        zone = ZoneInfo(name)
        alike.setdefault(json.dumps([offset(zone, BEGIN), changes(zone)]), []).append(name)
    version = Path("/usr/share/zoneinfo/tzdata.zi").read_text().split("\n")[0].split()[-1]
    clocks = {name: json.loads(key) for key, zones in alike.items() for name in zones}
    groups = []
    for key, zones in alike.items():
        start, turned = json.loads(key)
        lines = textwrap.wrap(" ".join(zones), 95, break_on_hyphens=False)
        groups.append({"offset": start, "changes": sum(turned, []), "zones": lines})
    dozen = {name: presets(ZoneInfo(name), moments_of(ZoneInfo(name), clocks[name][1] if name in clocks else changes(ZoneInfo(name))))
             for name in DOZEN}
    made = {"made_by": "Python's zoneinfo by zone-vectors.py", "tzdata": version, "alike": groups, "presets": dozen}
    Path(__file__).with_suffix(".json").write_text(json.dumps(made) + "\n")


main()
