/** Times of the runs of schedules, and the snapshots that a retention keeps. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  instantOf,
  isTimeZone,
  nextRun,
  nextRuns,
  type Recurrence,
  recurrenceProblem,
} from '../src/compute/schedules/recurrence.ts'
import { keptSnapshots, type Retention } from '../src/compute/schedules/retention.ts'
import { CRON_MAX, scheduleMessages } from '../src/compute/schedules/rules.ts'

const cron = (expression: string, time_zone = 'UTC'): Recurrence => ({
  type: 'cron',
  expression,
  time_zone,
})
const now = new Date('2026-01-01T00:00:00Z')

describe('the next runs', () => {
  test.each([
    ['every hour', '0 * * * *', 'UTC', '2026-05-01T10:20:00Z', ['05-01T11:00', '05-01T12:00']],
    ['every day, in winter', '0 2 * * *', 'Europe/Berlin', '2026-01-05T00:00:00Z', ['01-05T01:00']],
    ['every day, in summer', '0 2 * * *', 'Europe/Berlin', '2026-07-05T00:00:00Z', ['07-06T00:00']],
    ['on weekdays', '30 8 * * 1-5', 'UTC', '2026-05-01T09:00:00Z', ['05-04T08:30', '05-05T08:30']],
    ['on the last of the month', '0 0 L * *', 'UTC', '2026-02-10T00:00:00Z', ['02-28T00:00']],
    [
      'on the 31st, of months that have it',
      '0 0 31 * *',
      'UTC',
      '2026-01-31T12:00:00Z',
      ['03-31T00:00'],
    ],
    // The clocks of Berlin go from 02:00 to 03:00.
    [
      'in the gap: right after it',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      ['03-29T01:00', '03-30T00:30'],
    ],
    [
      'through the gap: by the clock',
      '0 * * * *',
      'Europe/Berlin',
      '2026-03-29T00:30:00Z',
      ['03-29T01:00', '03-29T02:00'],
    ],
    // The clocks of Berlin go from 03:00 to 02:00.
    [
      'at a repeated time: once',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00:00Z',
      ['10-25T00:30', '10-26T01:30'],
    ],
    [
      'through the repeated hour: in both',
      '0 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:30:00Z',
      ['10-25T00:00', '10-25T01:00'],
    ],
    // These clocks change by half an hour, and in the other half of the year.
    [
      'in the gap of Lord Howe',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-02T20:00:00Z',
      ['10-03T15:30', '10-04T15:15'],
    ],
    [
      'in a zone with three quarters',
      '0 12 * * *',
      'Asia/Kathmandu',
      '2026-05-01T00:00:00Z',
      ['05-01T06:15'],
    ],
  ])('%s', (_, expression, zone, from, expected) => {
    const runs = nextRuns(cron(expression, zone), new Date(from), expected.length)
    expect(runs.map((run) => run.toISOString())).toEqual(
      expected.map((time) => `2026-${time}:00.000Z`),
    )
  })

  test('on leap days only', () => {
    const runs = nextRuns(cron('0 0 29 2 *'), now, 3).map((run) => run.toISOString().slice(0, 10))
    expect(runs).toEqual(['2028-02-29', '2032-02-29', '2036-02-29'])
  })

  test('once, at an instant', () => {
    const once: Recurrence = { type: 'once', time_due: '2026-05-01T12:00:00+02:00' }
    expect(nextRun(once, now)).toEqual(new Date('2026-05-01T10:00:00Z'))
    expect(nextRun(once, new Date('2026-05-01T10:00:00Z'))).toBeUndefined()
    expect(nextRuns(once, now, 5)).toHaveLength(1)
  })
})

test('a local time is an instant of its time zone', () => {
  const at = (local: string, zone = 'Europe/Berlin') => instantOf(local, zone)?.toISOString()
  expect(at('2026-07-01 2:00')).toBe('2026-07-01T00:00:00.000Z')
  expect(at('2026-12-01T02:00')).toBe('2026-12-01T01:00:00.000Z')
  expect(at('2026-10-25 02:30')).toBe('2026-10-25T00:30:00.000Z')
  for (const local of ['', '2026-12-01', '2026-13-01 02:00', '2026-02-30 02:00', 'soon']) {
    expect(at(local)).toBeUndefined()
  }
  expect(at('2026-12-01 02:00', 'Nowhere/Here')).toBeUndefined()
})

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']
const zone = fc.constantFrom(...zones)
const moment = fc.date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2029-01-01T00:00:00Z'),
  noInvalidDate: true,
})
const HOUR_MS = 3_600_000

/** Hour and minute of a moment in a time zone. */
const clockIn = (timeZone: string, time: Date): string =>
  time.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
const dayIn = (timeZone: string, time: Date): string => time.toLocaleDateString('sv', { timeZone })

describe('whatever the time zone and the moment', () => {
  test('a daily run comes once on every day', () => {
    fc.assert(
      fc.property(zone, moment, fc.nat(23), fc.nat(59), (timeZone, from, hour, minute) => {
        const runs = nextRuns(cron(`${minute} ${hour} * * *`, timeZone), from, 4)
        const days = runs.map((run) => dayIn(timeZone, run))
        const first = Date.parse(`${days[0]}T00:00:00Z`)
        const following = days.map((_, index) =>
          new Date(first + index * 24 * HOUR_MS).toISOString().slice(0, 10),
        )
        expect(days).toEqual(following)
        const wanted = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
        // Only a gap moves a time, to its end.
        for (const run of runs) expect(clockIn(timeZone, run) >= wanted).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('the next run is later, and the run before it is no other', () => {
    fc.assert(
      fc.property(zone, moment, fc.nat(23), (timeZone, from, hour) => {
        const recurrence = cron(`*/20 ${hour} * * *`, timeZone)
        const next = nextRun(recurrence, from)!
        expect(next > from).toBe(true)
        const between = new Date((from.getTime() + next.getTime()) / 2)
        expect(nextRun(recurrence, between)).toEqual(next)
      }),
      { numRuns: 60 },
    )
  })

  test('accepted expressions never run more often than permitted', () => {
    const field = (max: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min: 1, max }).map((step) => `*/${step}`),
        fc.uniqueArray(fc.nat(max), { minLength: 1, maxLength: 4 }).map((list) => list.join()),
      )
    fc.assert(
      fc.property(field(59), field(23), moment, (minute, hour, from) => {
        const recurrence = cron(`${minute} ${hour} * * *`)
        fc.pre(recurrenceProblem(recurrence, 'snapshot', now) === undefined)
        const runs = nextRuns(recurrence, from, 60).map(Number)
        const gaps = runs.slice(1).map((run, index) => run - runs[index]!)
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(15 * 60_000)
      }),
      { numRuns: 15 },
    )
  })
})

describe('a recurrence is refused', () => {
  const says = scheduleMessages
  test.each([
    ['* * * * *', says.cronTooOften(15)],
    ['*/10 * * * *', says.cronTooOften(15)],
    ['0,50 1,2 * * *', says.cronTooOften(15)],
    ['55,5 23,0 * * *', says.cronTooOften(15)],
    ['0 0 30 2 *', says.cronNever],
    ['0 0 31 4,6,9,11 *', says.cronNever],
    ['', says.cronFields],
    ['@daily', says.cronFields],
    ['0 0 0 1 1 *', says.cronFields],
    ['2026-12-01T00:00:00', says.cronFields],
    ['? 0 * * *', says.cronCurrent],
    [`${'0,'.repeat(CRON_MAX)}0 0 * * *`, says.cronLength],
    ['60 0 * * *', expect.stringContaining('60')],
    ['0 24 * * *', expect.stringContaining('24')],
    ['0 0 * * 9', expect.any(String)],
    ['a b c d e', expect.any(String)],
    ['0 0 * * \u0000', expect.any(String)],
    ['0/0 0 * * *', expect.any(String)],
    ['*/-1 0 * * *', expect.any(String)],
    ['5-1 0 * * *', expect.any(String)],
    ['NaN 0 * * *', expect.any(String)],
    ['1e1 0 * * *', expect.any(String)],
    ['0 0 ١ * *', expect.any(String)],
  ])('%j', (expression, message) => {
    expect(recurrenceProblem(cron(expression), 'snapshot', now)).toEqual({
      field: 'expression',
      message,
    })
  })

  test('unless its action may run more often', () => {
    expect(recurrenceProblem(cron('*/5 * * * *'), 'start', now)).toBeUndefined()
    expect(recurrenceProblem(cron('*/15 * * * *'), 'snapshot', now)).toBeUndefined()
    expect(recurrenceProblem(cron('0 2 * * *'), 'snapshot', now)).toBeUndefined()
  })

  test('for a time in the past', () => {
    const once: Recurrence = { type: 'once', time_due: '2025-12-31T23:59:59Z' }
    expect(recurrenceProblem(once, 'stop', now)).toEqual({
      field: 'time_due',
      message: says.timePast,
    })
  })

  test('for a name that is no time zone', () => {
    for (const name of ['', 'Nowhere/Here', '+05:00', '../etc', 'UTC\n', 'A'.repeat(100)]) {
      expect(isTimeZone(name)).toBe(false)
      expect(recurrenceProblem(cron('0 2 * * *', name), 'snapshot', now)?.field).toBe('time_zone')
    }
    for (const name of [...zones, 'Etc/GMT+5', 'EST5EDT']) expect(isTimeZone(name)).toBe(true)
  })

  test('never by an exception, whatever the text', () => {
    const characters = fc.constantFrom(...'0159*/,-#LW?@ JANmon\t\n٠')
    const text = fc.string({ unit: characters, maxLength: 30 })
    fc.assert(
      fc.property(text, (expression) => {
        const problem = recurrenceProblem(cron(expression), 'stop', now)
        const next = problem === undefined && nextRun(cron(expression), now)
        expect(problem ?? next).toBeTruthy()
      }),
      { numRuns: 500 },
    )
  })
})

describe('a retention', () => {
  const none: Retention = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }
  const DAY_MS = 24 * HOUR_MS
  /** One snapshot a day, the newest first. */
  const daily = (days: number, newest = '2026-06-30T02:00:00Z') =>
    Array.from({ length: days }, (_, back) => ({
      time: new Date(Date.parse(newest) - back * DAY_MS),
    }))
  const kept = (taken: { time: Date }[], retention: Partial<Retention>, timeZone = 'UTC') =>
    [...keptSnapshots(taken, { ...none, ...retention }, timeZone)]
      .map(({ time }) => time.toISOString().slice(0, 10))
      .toSorted()
      .toReversed()

  test.each<[string, Partial<Retention>, string[]]>([
    ['the last ones', { last: 3 }, ['2026-06-30', '2026-06-29', '2026-06-28']],
    ['the newest of each week', { weekly: 3 }, ['2026-06-30', '2026-06-28', '2026-06-21']],
    ['the newest of each month', { monthly: 3 }, ['2026-06-30', '2026-05-31', '2026-04-30']],
    ['the newest of each year', { yearly: 5 }, ['2026-06-30', '2025-12-31']],
    [
      'all that one of its rules keeps',
      { last: 2, weekly: 2, monthly: 2 },
      ['2026-06-30', '2026-06-29', '2026-06-28', '2026-05-31'],
    ],
  ])('keeps %s', (_, retention, expected) => {
    expect(kept(daily(400), retention)).toEqual(expected)
  })

  test('takes the days from its time zone', () => {
    const taken = ['2026-06-30T22:30:00Z', '2026-06-30T21:30:00Z'].map((time) => ({
      time: new Date(time),
    }))
    expect(kept(taken, { daily: 2 })).toHaveLength(1)
    expect(kept(taken, { daily: 2 }, 'Europe/Berlin')).toHaveLength(2)
  })

  test('counts days that have a snapshot, so a pause loses none', () => {
    const taken = [...daily(2), ...daily(5, '2026-01-10T02:00:00Z')]
    expect(kept(taken, { daily: 4 })).toEqual([
      '2026-06-30',
      '2026-06-29',
      '2026-01-10',
      '2026-01-09',
    ])
  })

  test('keeps the latest, even if the clock was set back since the others', () => {
    const [latest, ...others] = [{ time: new Date('2020-01-01T00:00:00Z') }, ...daily(10)]
    for (const rule of ['last', 'daily', 'weekly', 'monthly', 'yearly'] as const) {
      expect(keptSnapshots([latest!, ...others], { ...none, [rule]: 1 }, 'UTC')).toEqual(
        new Set([latest]),
      )
    }
  })

  test('keeps the same when it is applied again, and more if it grows', () => {
    const rule = fc.nat(6)
    const retention = fc.record({
      last: rule,
      daily: rule,
      weekly: rule,
      monthly: rule,
      yearly: rule,
    })
    const times = fc.array(fc.nat(2_000), { maxLength: 40 })
    fc.assert(
      fc.property(times, retention, zone, (hours, wanted, timeZone) => {
        const taken = hours
          .toSorted((a, b) => a - b)
          .map((back) => ({ time: new Date(now.getTime() - back * 7 * HOUR_MS) }))
        const once = keptSnapshots(taken, wanted, timeZone)
        const left = taken.filter((one) => once.has(one))
        expect(keptSnapshots(left, wanted, timeZone)).toEqual(once)
        const more = keptSnapshots(taken, { ...wanted, last: wanted.last + 1 }, timeZone)
        for (const one of once) expect(more.has(one)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
