/** Executing a dump of PostgreSQL in plain SQL. */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

const NEWLINE = 0x0a
const BACKSLASH = 0x5c
const COPY = /^COPY .* FROM stdin;$/
const SET = /^SET (\w+) = [^;]*;$/
/** Commands of psql around a dump, which protect psql from the data in it. */
const RESTRICTIONS = /^\\(?:un)?restrict \w+$/
/** Statements between the contents of two tables; those of this program have some kilobytes. */
const MAX_STATEMENTS = 16 * 1024 * 1024

/** The text is not a dump, or has parts that this program does not execute. */
export class DumpError extends Error {}

/** The complete lines of a text, each with its end, in pieces as they arrive. */
async function* wholeLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const piece of source) {
    const end = piece.lastIndexOf(NEWLINE) + 1
    if (end === 0) {
      rest.push(piece)
      continue
    }
    yield Buffer.concat([...rest, piece.subarray(0, end)])
    rest = [piece.subarray(end)]
  }
  const last = Buffer.concat(rest)
  if (last.length > 0) yield Buffer.concat([last, Buffer.from('\n')])
}

/** The contents of a table on their way into it. */
function copyInto(client: ClientBase, statement: string) {
  const stream: Writable = client.query(copyFrom(statement))
  const ended = finished(stream)
  // Its error is thrown by the next call.
  ended.catch(() => {})
  return {
    async write(lines: Buffer) {
      if (lines.length > 0 && !stream.write(lines)) {
        await Promise.race([once(stream, 'drain'), ended])
      }
    },
    async end() {
      stream.end()
      await ended
    },
  }
}

/**
 * Executes a dump in plain SQL on a connection, as psql would: in a transaction that the caller
 * commits, up to the first error. Settings that the server does not have are left out, because
 * tools write those of their own version, which may be newer.
 * @throws DumpError, or the error of the database
 */
export async function executeDump(client: ClientBase, source: AsyncIterable<Buffer>) {
  const { rows } = await client.query<{ name: string }>('select name from pg_settings')
  const settings = new Set(rows.map(({ name }) => name))
  let statements: string[] = []
  let length = 0
  let contents: ReturnType<typeof copyInto> | undefined

  const execute = async () => {
    const text = statements.join('\n')
    statements = []
    length = 0
    if (text.trim() !== '') await client.query(text)
  }
  const addLine = async (line: string) => {
    if (COPY.test(line)) {
      await execute()
      contents = copyInto(client, line)
      return
    }
    const setting = SET.exec(line)?.[1]
    if (RESTRICTIONS.test(line) || (setting && !settings.has(setting))) return
    if (line.startsWith('\\')) throw new DumpError('it has commands of psql')
    length += line.length
    if (length > MAX_STATEMENTS) throw new DumpError('it has statements that are too long')
    statements.push(line)
  }

  for await (const lines of wholeLines(source)) {
    let at = 0
    /** Start of the contents that are not written yet. */
    let pending = 0
    while (at < lines.length) {
      const end = lines.indexOf(NEWLINE, at)
      if (!contents) {
        await addLine(lines.toString('utf8', at, end))
        pending = end + 1
      } else if (end === at + 2 && lines[at] === BACKSLASH && lines[at + 1] === 0x2e) {
        // The line "\." ends the contents.
        await contents.write(lines.subarray(pending, at))
        await contents.end()
        contents = undefined
        pending = end + 1
      }
      at = end + 1
    }
    await contents?.write(lines.subarray(pending))
  }
  if (contents) throw new DumpError('it ends within the contents of a table')
  await execute()
}
