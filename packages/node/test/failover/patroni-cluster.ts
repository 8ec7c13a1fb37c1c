/**
 * Three PostgreSQL servers under Patroni, with an etcd of three members, on free ports of the
 * loopback address. Everything is in one folder, and ends with the cluster.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, vi } from 'vitest'
import { freePort } from '../../../control-plane/test/support/programs.ts'
import { haproxy, installed } from './missing.ts'

const MEMBERS = [1, 2, 3] as const
export type Member = (typeof MEMBERS)[number]

const PASSWORD = 'a password of the cluster'
const NOBODY = 65_534
/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** Seconds, as Patroni has them: a leader that is silent for `ttl` is replaced. */
const TIMES = { ttl: 20, loop_wait: 5, retry_timeout: 5 }

/** The processes below some others, with those themselves. */
async function withDescendants(roots: readonly number[]): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = /\) \S (\d+)/.exec(stat)?.[1]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const found = new Set(roots)
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

/** A process may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Milliseconds that only end a hang. */
const patience = { timeout: 300_000, interval: 250 }

/** Patroni's report on a member. */
interface MemberState {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  state: string
  timeline?: number
}

export interface PatroniCluster {
  /** A URL of a database with all three hosts. */
  databaseUrl: (database: string) => string
  /** A URL of a database at one address, behind which HAProxy forwards to the primary. */
  proxiedUrl: (database: string) => Promise<string>
  /** Runs a statement on the primary. */
  ask: (database: string, statement: string) => Promise<Record<string, unknown>[]>
  /** Waits until there is one leader, whom all others follow, one of them synchronously. */
  settled: () => Promise<void>
  leader: () => Promise<Member>
  /** Waits until another member leads. */
  replaced: (member: Member) => Promise<void>
  /** SIGKILL for Patroni, PostgreSQL and all its processes. */
  kill: (member: Member) => Promise<void>
  /** Starts a member that was killed. */
  start: (member: Member) => void
  /** Stops everything of a member as a host does that hangs, or whose network is cut. */
  freeze: (member: Member) => Promise<void>
  /** Stops Patroni alone, as if its host had no time for it: PostgreSQL goes on without it. */
  freezePatroni: (member: Member) => void
  thaw: (member: Member) => void
  /** The member that has every commit of the leader. */
  synchronousStandby: () => Promise<Member>
  /** Hands the leadership to a synchronous standby; answers once that leads. */
  switchover: () => Promise<void>
  killEtcd: (member: Member) => Promise<void>
  startEtcd: (member: Member) => void
  stop: () => Promise<void>
}

/**
 * Starts a cluster in an empty folder. Commits wait for a standby.
 * @throws if it is not settled in time
 */
export async function startCluster(home: string): Promise<PatroniCluster> {
  await chmod(home, 0o755)
  const numbered = async <T>(make: (member: Member) => Promise<T>) =>
    new Map(await Promise.all(MEMBERS.map(async (member) => [member, await make(member)] as const)))
  const ports = await numbered(async () => ({
    peer: await freePort(),
    etcd: await freePort(),
    api: await freePort(),
    postgres: await freePort(),
  }))
  const portsOf = (member: Member) => ports.get(member)!
  const etcds = new Map<Member, ChildProcess>()
  const patronis = new Map<Member, ChildProcess>()
  const frozen = new Map<Member, number[]>()

  const run = (command: string, args: string[], log: string): ChildProcess => {
    const child = spawn(command, args, { ...user, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = createWriteStream(join(home, log), { flags: 'a' })
    child.stdout.pipe(output, { end: false })
    child.stderr.pipe(output, { end: false })
    child.once('close', () => output.end())
    return child
  }

  const peers = MEMBERS.map((m) => `e${m}=http://127.0.0.1:${portsOf(m).peer}`).join()
  const startEtcd = (member: Member) => {
    const { peer, etcd } = portsOf(member)
    const [peerUrl, url] = [`http://127.0.0.1:${peer}`, `http://127.0.0.1:${etcd}`]
    const options = {
      name: `e${member}`,
      'data-dir': join(home, `etcd${member}`),
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'initial-cluster': peers,
      'initial-cluster-state': 'new',
    }
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    etcds.set(member, run('etcd', args, `etcd${member}.log`))
  }

  const [newest] = (await readdir(installed)).toSorted((a, b) => Number(b) - Number(a))
  const configurationOf = (member: Member) => ({
    scope: 'steading',
    name: `n${member}`,
    restapi: {
      listen: `127.0.0.1:${portsOf(member).api}`,
      connect_address: `127.0.0.1:${portsOf(member).api}`,
    },
    etcd3: { hosts: MEMBERS.map((each) => `127.0.0.1:${portsOf(each).etcd}`) },
    bootstrap: {
      dcs: { ...TIMES, synchronous_mode: true, postgresql: { use_pg_rewind: true } },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${portsOf(member).postgres}`,
      connect_address: `127.0.0.1:${portsOf(member).postgres}`,
      data_dir: join(home, `data${member}`),
      bin_dir: join(installed, newest!, 'bin'),
      pgpass: join(home, `pgpass${member}`),
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
        rewind: { username: 'rewinder', password: PASSWORD },
      },
      parameters: { unix_socket_directories: join(home, `sockets${member}`) },
    },
  })
  for (const member of MEMBERS) {
    for (const folder of [`etcd${member}`, `sockets${member}`, `data${member}`]) {
      const path = join(home, folder)
      await mkdir(path, { mode: 0o700 })
      if (user.uid !== undefined) await chown(path, user.uid, user.gid)
    }
    const file = join(home, `patroni${member}.yml`)
    // JSON is YAML.
    await writeFile(file, JSON.stringify(configurationOf(member), null, 2))
  }
  if (user.uid !== undefined) await chown(home, user.uid, user.gid)

  const start = (member: Member) => {
    const file = join(home, `patroni${member}.yml`)
    patronis.set(member, run('patroni', [file], `patroni${member}.log`))
  }
  /** The process of PostgreSQL, which Patroni starts apart from its own. */
  const postmasterOf = async (member: Member): Promise<number | undefined> => {
    const file = join(home, `data${member}`, 'postmaster.pid')
    const text = await readFile(file, 'utf8').catch(() => '')
    const pid = Number(text.split('\n', 1)[0])
    return pid > 0 ? pid : undefined
  }
  const processesOf = async (member: Member): Promise<number[]> => {
    const { pid, exitCode, signalCode } = patronis.get(member) ?? {}
    const roots = [
      ...(pid !== undefined && exitCode === null && signalCode === null ? [pid] : []),
      ...[await postmasterOf(member)].filter((found) => found !== undefined),
    ]
    return withDescendants(roots)
  }
  const thaw = (member: Member) => {
    for (const pid of frozen.get(member) ?? []) signal(pid, 'SIGCONT')
    frozen.delete(member)
  }
  const kill = async (member: Member) => {
    const child = patronis.get(member)!
    const ended = child.exitCode ?? child.signalCode ?? once(child, 'exit')
    for (const pid of await processesOf(member)) signal(pid, 'SIGKILL')
    frozen.delete(member)
    await ended
  }
  const killEtcd = async (member: Member) => {
    const child = etcds.get(member)!
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** The report on all by the first member that answers. */
  const states = async (): Promise<MemberState[]> => {
    for (const member of MEMBERS) {
      if (frozen.has(member)) continue
      const url = `http://127.0.0.1:${portsOf(member).api}/cluster`
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
      if (answer?.ok) return ((await answer.json()) as { members: MemberState[] }).members
    }
    return []
  }
  const memberWith = async (role: MemberState['role']): Promise<Member> => {
    const found = (await states()).find((state) => state.role === role)
    if (!found) throw new Error(`the cluster has no ${role}`)
    return Number(found.name.slice(1)) as Member
  }
  const leader = () => memberWith('leader')
  const urlOf = (database: string, hosts: readonly Member[]) =>
    `postgres://postgres:${encodeURIComponent(PASSWORD)}@${hosts
      .map((member) => `127.0.0.1:${portsOf(member).postgres}`)
      .join()}/${database}`

  const ask: PatroniCluster['ask'] = async (database, statement) => {
    const client = new Client({ connectionString: urlOf(database, [await leader()]) })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows
    } finally {
      await client.end()
    }
  }
  const settled = () =>
    vi.waitFor(async () => {
      const found = await states()
      const timelines = new Set(found.map(({ timeline }) => timeline))
      const ready = found.every(({ state }) => state === 'running' || state === 'streaming')
      const roles = found.map(({ role }) => role).toSorted()
      expect([ready, timelines.size, roles]).toEqual([
        true,
        1,
        ['leader', 'replica', 'sync_standby'],
      ])
    }, patience)

  let proxy: { child: ChildProcess; port: number } | undefined
  const startProxy = async () => {
    const port = await freePort()
    const file = join(home, 'haproxy.cfg')
    const servers = MEMBERS.map((member) => {
      const { postgres, api } = portsOf(member)
      return `  server n${member} 127.0.0.1:${postgres} check port ${api}`
    })
    const lines = [
      'defaults',
      '  mode tcp',
      '  timeout connect 2s',
      '  timeout client 30m',
      '  timeout server 30m',
      '  timeout check 1s',
      'listen primary',
      `  bind 127.0.0.1:${port}`,
      '  option httpchk OPTIONS /primary',
      '  http-check expect status 200',
      '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
      ...servers,
    ]
    await writeFile(file, `${lines.join('\n')}\n`)
    return { child: run(haproxy!, ['-db', '-f', file], 'haproxy.log'), port }
  }

  for (const member of MEMBERS) startEtcd(member)
  for (const member of MEMBERS) start(member)
  const stop = async () => {
    for (const member of MEMBERS) thaw(member)
    for (const member of MEMBERS) await kill(member)
    for (const member of MEMBERS) await killEtcd(member)
    proxy?.child.kill('SIGKILL')
  }
  try {
    await settled()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    databaseUrl: (database) => urlOf(database, MEMBERS),
    async proxiedUrl(database) {
      proxy ??= await startProxy()
      return `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${proxy.port}/${database}`
    },
    ask,
    settled,
    leader,
    replaced: (member) => vi.waitFor(async () => expect(await leader()).not.toBe(member), patience),
    kill,
    start,
    async freeze(member) {
      const pids = await processesOf(member)
      frozen.set(member, pids)
      for (const pid of pids) signal(pid, 'SIGSTOP')
    },
    freezePatroni(member) {
      const { pid } = patronis.get(member)!
      frozen.set(member, [pid!])
      signal(pid!, 'SIGSTOP')
    },
    thaw,
    synchronousStandby: () => memberWith('sync_standby'),
    async switchover() {
      const from = await leader()
      const url = `http://127.0.0.1:${portsOf(from).api}/switchover`
      const to = await memberWith('sync_standby')
      const body = JSON.stringify({ leader: `n${from}`, candidate: `n${to}` })
      const answer = await fetch(url, { method: 'POST', body })
      if (!answer.ok) throw new Error(`the switchover failed: ${await answer.text()}`)
    },
    killEtcd,
    startEtcd,
    stop,
  }
}
