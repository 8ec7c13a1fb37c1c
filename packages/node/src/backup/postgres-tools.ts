/** The programs of PostgreSQL, which read its databases and its archives. */
import { execFile, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { errorCode } from '@steading/files'
import { StartError } from '../errors.ts'

type Tool = 'pg_dump' | 'pg_restore'

const notInstalled = (tool: Tool): StartError =>
  new StartError(`${tool} of PostgreSQL is needed, and is not installed`)

interface RunningTool {
  output: Readable
  /** @throws StartError if it fails */
  ended: Promise<void>
}

/**
 * Starts a tool of PostgreSQL.
 * @param url of its database. The password is passed in the environment, because other users of the
 * machine can read process arguments.
 */
export function startTool(tool: Tool, args: readonly string[], url?: string): RunningTool {
  const env = { ...process.env }
  const all = [...args]
  if (url !== undefined) {
    const target = new URL(url)
    if (target.password) env.PGPASSWORD = decodeURIComponent(target.password)
    target.password = ''
    all.push(`--dbname=${target.href}`)
  }
  const child = spawn(tool, all, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let problem = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem = (problem + text).slice(-4_000)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (error) =>
      reject(errorCode(error) === 'ENOENT' ? notInstalled(tool) : error),
    )
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new StartError(`${tool} failed: ${problem.trim()}`)),
    )
  })
  // Thrown where it is awaited.
  ended.catch(() => {})
  return { output: child.stdout, ended }
}

/** Runs a tool of PostgreSQL that prints nothing. */
export async function runTool(tool: Tool, args: readonly string[], url?: string): Promise<void> {
  const { output, ended } = startTool(tool, args, url)
  output.resume()
  await ended
}

/**
 * The major version of a tool.
 * @throws StartError if it is not installed
 */
export async function versionOfTool(tool: Tool): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)(tool, ['--version'], { timeout: 10_000 })
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1])
  } catch (error) {
    throw errorCode(error) === 'ENOENT' ? notInstalled(tool) : error
  }
}

/** The remark about tools that are newer than their server; undefined if they are not. */
export const newerTools = (tool: number, server: number): string | undefined =>
  tool > server
    ? `pg_dump of version ${tool} is newer than the server of version ${server}; backups can be restored, but pg_dump of the server's version is safer`
    : undefined
