/** Checks of the database and the settings in it. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Contents, inspectDatabase, type Inspection, TOO_OLD } from '@steading/control-plane'
import {
  CLOCK_APART_ADVICE,
  CLOCK_APART_EFFECT,
  clockDifference,
  isClockApart,
} from '@steading/api/rules'
import { errorMessage, ifMissing, tokenIn } from '@steading/files'
import { newerTools, versionOfTool } from '../backup/postgres-tools.ts'
import type { EngineName, ServerConfig } from '../config.ts'
import { databasePath, openDatabase } from '../database.ts'
import { createEngine, otherEngineAdvice } from '../engine.ts'
import type { NetworkState } from './machines.ts'
import { StartError } from '../errors.ts'
import { connectToPrimary, versionOfServer } from '../primary-search.ts'
import { quickCheck } from '../sqlite-check.ts'
import { volumesDirectory } from '../volumes/names.ts'
import { endOf } from './certificates.ts'
import { roomFinding } from './data-directory.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkReplication } from './replication.ts'

const ABOUT = 'database'
/** Tolerated clock difference between the machines of a database, in milliseconds. */
const CLOCK_MARGIN_MS = 60_000

/** An embedded database file in a directory configured for another kind of database. */
async function kindOf({ data, databaseUrl }: ServerConfig): Promise<Finding | undefined> {
  const embedded = existsSync(databasePath({ data })!)
  if (databaseUrl !== undefined && embedded) {
    return problem(
      'kind of database',
      `${data} holds an embedded database, and a PostgreSQL database is configured`,
      'omit --database-url, or set --data to the directory of that database',
    )
  }
  if (databaseUrl === undefined && !embedded && (await tokenIn(data)) !== undefined) {
    return problem(
      'kind of database',
      `${data} belongs to a PostgreSQL database`,
      'set --database-url to that database',
    )
  }
  return undefined
}

/** The names in a directory; none if it is missing. */
const namesIn = async (directory: string): Promise<ReadonlySet<string>> =>
  new Set(await readdir(directory).catch(ifMissing([] as string[])))

async function volumesOf(
  { data }: ServerConfig,
  { volumes, volumeFiles }: Contents,
): Promise<Finding> {
  const expected = [...volumes.map((id) => join(volumesDirectory(data), id)), ...volumeFiles]
  const stored = new Map<string, ReadonlySet<string>>()
  for (const directory of new Set(expected.map((path) => dirname(path)))) {
    stored.set(directory, await namesIn(directory))
  }
  const lost = expected.filter((path) => !stored.get(dirname(path))!.has(basename(path)))
  return lost.length === 0
    ? ok('volumes', `the files of all ${expected.length} are there`)
    : problem(
        'volumes',
        `the files of ${lost.length} of ${expected.length} disks and snapshots are missing, such as ${lost[0]}`,
        volumeFiles.length === 0
          ? 'restore them from a backup'
          : 'check --libvirt-volumes and that its file system is mounted, or restore them from a backup',
      )
}

/** Servers on PostgreSQL go by its clock. */
interface PresentTime {
  now: Date
  findings: Finding[]
}

async function presentTime({ databaseUrl }: ServerConfig): Promise<PresentTime> {
  if (databaseUrl === undefined) return { now: new Date(), findings: [] }
  const { client } = await connectToPrimary(databaseUrl)
  try {
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
    const { now } = rows[0]!
    const seconds = (Date.now() - now.getTime()) / 1000
    const about = 'clock of this machine'
    if (!isClockApart(seconds)) return { now, findings: [ok(about, 'agrees with the database')] }
    const text = `is ${clockDifference(seconds)}; ${CLOCK_APART_EFFECT}`
    return { now, findings: [problem(about, text, CLOCK_APART_ADVICE)] }
  } finally {
    await client.end()
  }
}

/** The directories of storage pools, and the room in them. */
const poolsOf = ({ keepFree }: ServerConfig, { pools }: Contents): Finding[] =>
  pools.map(({ path, problem: reason, free = 0 }) => {
    const about = `storage pool ${path}`
    if (reason !== undefined) {
      return problem(about, reason, 'mount its file system; its disks cannot be used until then')
    }
    return roomFinding(about, path, free, keepFree)
  })

function clockOf({ lastCall }: Contents, now: Date): Finding {
  const text = `the clock shows ${now.toISOString()}`
  return lastCall === undefined || Date.parse(lastCall) <= now.getTime() + CLOCK_MARGIN_MS
    ? ok('clock', text)
    : problem(
        'clock',
        `${text}, and the newest entry of the audit log is of ${lastCall}`,
        'set the clock: it was set back, or ran ahead before',
      )
}

/** A proxy that changes the header `Host`. Nothing else about proxies is known here. */
const proxyOf = ({ otherHost }: Contents): Finding[] =>
  otherHost === undefined
    ? []
    : [
        warning(
          'proxy',
          `a sign-in was refused at ${otherHost.time}: ${otherHost.message}`,
          'with nginx: proxy_set_header Host $http_host;',
        ),
      ]

function certificateOf({ host, ends }: Contents['certificates'][number], now: Date): Finding {
  const about = `certificate of ${host}`
  const advice = 'add a new one to its silo under Certificates'
  if (ends === undefined) return problem(about, 'there is none', advice)
  const { level, text } = endOf(new Date(ends), now)
  return { level, about, text, ...(level !== 'ok' && { advice }) }
}

async function directoryOf(config: ServerConfig, { dataToken }: Contents): Promise<Finding[]> {
  if (config.databaseUrl === undefined || dataToken === undefined) return []
  const here = await tokenIn(config.data)
  if (here === undefined && config.sharedDirectory !== undefined) {
    return [ok('kind of database', 'the next start makes the data directory that of a server')]
  }
  return here === dataToken
    ? [ok('kind of database', 'the data directory belongs to it')]
    : [
        problem(
          'kind of database',
          `${config.data} does not belong to this database`,
          'set --data to the directory of its first server',
        ),
      ]
}

async function findingsOf(
  inspection: Inspection,
  config: ServerConfig,
  now: Date,
): Promise<Finding[]> {
  switch (inspection.state) {
    case 'empty':
      return [ok('version', 'the database is empty; the first start sets it up')]
    case 'newer':
      return [
        problem(
          'version',
          `the database was written by a newer version of Steading: it has the change "${inspection.unknown[0]}"`,
          'start that version, or restore a backup of this one',
        ),
      ]
    case 'too old':
      return [problem('version', TOO_OLD.problem, TOO_OLD.advice)]
    case 'another engine': {
      const { refusal } = inspection
      return [problem('version', refusal.message, otherEngineAdvice(refusal))]
    }
    case 'older':
      return [
        warning(
          'version',
          `the database is of an earlier version; changes are due from "${inspection.pending[0]}" on`,
          'make a backup; the next start applies the changes, and volumes, clock and certificates are checked after it',
        ),
      ]
    case 'current': {
      const { contents } = inspection
      const hosts = config.tlsPort === undefined ? [] : contents.certificates
      return [
        ok('version', 'the database is up to date'),
        ...(await directoryOf(config, contents)),
        await volumesOf(config, contents),
        ...poolsOf(config, contents),
        clockOf(contents, now),
        ...proxyOf(contents),
        ...hosts.map((host) => certificateOf(host, now)),
      ]
    }
  }
}

/** Reads a whole embedded database. */
function damageOf(path: string): Finding {
  const [finding] = quickCheck(path)
  return finding === undefined
    ? ok('quick_check', 'no damage')
    : problem('quick_check', finding, 'stop the server and restore the newest backup')
}

/** Whether backups can be made here. */
async function toolsOf({ databaseUrl }: ServerConfig): Promise<Finding[]> {
  if (databaseUrl === undefined) return []
  const about = 'pg_dump'
  const { client } = await connectToPrimary(databaseUrl)
  const server = await versionOfServer(client).finally(() => client.end())
  try {
    const tool = await versionOfTool(about)
    if (tool < server) {
      const text = `is of version ${tool}, which cannot back up the server of version ${server}`
      return [warning(about, text, `run backup where version ${server} is installed`)]
    }
    const remark = newerTools(tool, server)
    return remark === undefined
      ? [ok(about, `is of version ${tool}, like the server`)]
      : [warning(about, remark, 'see Backup and restore')]
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [warning(about, 'is not installed', 'run backup where it is')]
  }
}

interface CheckedDatabase {
  findings: Finding[]
  /** The engine of the machines if the database can be used with it. */
  engine?: EngineName
  networks?: NetworkState
  /** Addresses of the libvirt of hosts in service, if the database is up to date. */
  hosts?: string[]
}

export async function checkDatabase(config: ServerConfig): Promise<CheckedDatabase> {
  const wrongKind = await kindOf(config)
  if (wrongKind) return { findings: [wrongKind] }
  const path = databasePath(config)
  if (path !== undefined && !existsSync(path)) {
    return { findings: [ok(ABOUT, 'there is none yet; the first start creates it')] }
  }
  const damage = path === undefined ? [] : [damageOf(path)]
  const advice =
    path === undefined
      ? 'check that PostgreSQL is running, and --database-url'
      : 'restore the newest backup'
  try {
    const host = await openDatabase(config)
    const opened = ok(ABOUT, path ?? 'PostgreSQL can be reached')
    let chosen: Awaited<ReturnType<typeof createEngine>>
    try {
      chosen = await createEngine(config, host)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      return { findings: [opened, problem('engine', error.message), ...damage] }
    }
    const { now, findings: clocks } = await presentTime(config)
    const inspection = await inspectDatabase(host, chosen.engine, config.zones, now)
    const tools = await toolsOf(config)
    const { databaseUrl } = config
    const replication = databaseUrl === undefined ? [] : await checkReplication(databaseUrl)
    const findings = [
      opened,
      ...clocks,
      ...replication,
      ...tools,
      ...damage,
      ...(await findingsOf(inspection, config, now)),
    ]
    return inspection.state === 'another engine'
      ? { findings }
      : {
          findings,
          engine: chosen.name,
          ...(inspection.state === 'current' && { hosts: inspection.contents.hostAddresses }),
          networks: {
            // Those that the database has tell it themselves.
            problem: chosen.networks ? undefined : chosen.networkProblem,
            faults: (await chosen.networks?.faults()) ?? [],
            plain: await chosen.networks?.plain?.(),
          },
        }
  } catch (error) {
    const text =
      error instanceof StartError ? error.message : `cannot be read: ${errorMessage(error)}`
    return { findings: [problem(ABOUT, text, advice), ...damage] }
  }
}
