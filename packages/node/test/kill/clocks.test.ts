/**
 * Two servers on one PostgreSQL, whose machines show times that are minutes apart. Their monotonic
 * clocks and that of the database are right.
 */
import type { Wire } from '@steading/api'
import { isClockApart } from '@steading/api/rules'
import { expect, inject, test } from 'vitest'
import { smallInstance } from '../../../control-plane/test/support/things.ts'
import { runToEnd } from '../support/process.ts'
import { clocksMissing, createClock } from '../support/server-clocks.ts'
import { type Cloud, type Servers, sharedCloud, startServers } from './cloud.ts'

const missing =
  clocksMissing() ?? (inject('postgresUrl') ? undefined : 'PostgreSQL is not installed')
if (missing !== undefined) console.warn(`Clocks that are apart are left out: ${missing}.`)

/** Minutes by which the clocks of the two servers are ahead. */
const APART = [7, -7]
/** Less than the clocks are apart. */
const SESSION_MINUTES = 5

/** Starts a server whose clock is ahead, and one whose clock is behind. */
async function startApart(cloud: Cloud) {
  const clocks = APART.map(createClock)
  const env = { STEADING_SESSION_IDLE: String(SESSION_MINUTES) }
  return { clocks, servers: await startServers(cloud, APART.length, env, undefined, clocks) }
}

/** Calls a server; a refusal fails the test. */
async function call<T>(
  { api }: Servers,
  index: number,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await api(index)(method, path, body)
  expect(answer).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) })
  return answer.body as T
}

/** More than a server takes to write, and less than the clocks are apart. Milliseconds. */
const MINUTE = 60_000

/** The time of the database. Milliseconds. */
async function databaseTime({ ask }: Cloud): Promise<number> {
  const [row] = await ask('select extract(epoch from clock_timestamp()) * 1000 as now')
  return Number(row!.now)
}

/** Writes at each of the servers, twice, and compares the times of that with the database's. */
async function expectItsTime(cloud: Cloud, servers: Servers, name: string): Promise<void> {
  for (let n = 0; n < 4; n++) {
    const before = await databaseTime(cloud)
    const body = { name: `${name}-${n}`, description: '' }
    const { time_created } = await call<Wire.Project>(servers, n, 'POST', '/v1/projects', body)
    const after = await databaseTime(cloud)
    const time = Date.parse(time_created)
    expect({ n, ahead: time > after + MINUTE, behind: time < before - MINUTE }).toEqual({
      n,
      ahead: false,
      behind: false,
    })
  }
}

test.skipIf(missing !== undefined)(
  'servers whose clocks are apart tell the time of the database',
  async () => {
    const cloud = await sharedCloud()
    const { servers, clocks } = await startApart(cloud)
    // Each server is called in a session that the other one has used.
    await expectItsTime(cloud, servers, 'apart')

    // Both say so, and the doctor of their machines does.
    for (const [index, clock] of clocks.entries()) {
      const place = '/x/v1/system/health'
      const health = await call<Wire.SystemHealth>(servers, index, 'GET', place)
      expect(Math.sign(health.clock_ahead_seconds!)).toBe(Math.sign(APART[index]!))
      expect(isClockApart(health.clock_ahead_seconds!)).toBe(true)
      const { stdout } = await runToEnd(['doctor', '--data', cloud.data, '--port', '0'], {
        STEADING_DATABASE_URL: cloud.databaseUrl,
        ...clock.variables,
      })
      const side = APART[index]! > 0 ? 'ahead of' : 'behind'
      expect(stdout).toMatch(
        new RegExp(
          `^problem  clock of this machine: is \\d+ s ${side} the clock of the database; `,
          'm',
        ),
      )
      await expect
        .poll(() => servers.hosts[index]!.log())
        .toMatch(new RegExp(`the clock of this machine is \\d+ s ${side} the clock`))
      // Times of the database are compared with its own clock.
      expect(stdout).toMatch(/^ok       clock: /m)
    }

    const wrong = async () => {
      const { items } = await call<{ items: Wire.Issue[] }>(servers, 0, 'GET', '/x/v1/issues')
      return items
        .filter(({ kind }) => kind === 'server_clock_apart')
        .map(({ sentence }) => sentence)
    }
    const itsIssue = expect.stringMatching(
      /^The clock of the server \S+ is \d+ s (?:ahead of|behind) the clock of the database: /,
    )
    await expect.poll(wrong).toEqual([itsIssue])

    // The other server finishes the work that the one ahead has left.
    const { id } = await call<Wire.Instance>(servers, 0, 'POST', '/v1/instances?project=work', {
      ...smallInstance('left'),
      start: true,
    })
    await servers.kill(0)
    const state = async () =>
      (await call<Wire.Instance>(servers, 1, 'GET', `/v1/instances/${id}`)).run_state
    await expect.poll(state).toBe('running')
    await servers.restart(0)

    // Both clocks are set while the servers run.
    clocks[0]!.set(-20)
    clocks[1]!.set(20)
    await expectItsTime(cloud, servers, 'set')

    // Both clocks are right again.
    for (const clock of clocks) clock.set(0)
    await expect.poll(wrong).toEqual([])
  },
)
