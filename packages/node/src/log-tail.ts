/**
 * The tail of the log in files of the data directory, for support bundles. Servers that share the
 * directory write separate files, and files of stopped servers stay for a while, so that a bundle
 * also covers the time before a crash.
 */
import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogPart } from '@steading/control-plane/ports'

/** Maximum file size in bytes; the next line starts another file. */
const FILE_BYTES = 256 * 1024
/** Maximum number of files. */
const FILES = 8

export interface LogTail {
  add: (line: string) => void
  /** All files, oldest first. */
  parts: () => AsyncIterable<LogPart>
}

export function createLogTail(data: string): LogTail {
  const directory = join(data, 'log')
  let path = ''
  let size = FILE_BYTES

  const names = () => readdirSync(directory).toSorted()
  const begin = () => {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const time = new Date().toISOString().replaceAll(/[:.-]/g, '')
    path = join(directory, `${time}-${crypto.randomUUID().slice(0, 8)}.jsonl`)
    size = 0
    for (const old of names().slice(0, -FILES)) rmSync(join(directory, old), { force: true })
  }
  return {
    // Synchronous, so that the last line before a crash is included. Few lines are written.
    add(line) {
      try {
        if (size >= FILE_BYTES) begin()
        appendFileSync(path, `${line}\n`, { mode: 0o600 })
        size += Buffer.byteLength(line) + 1
      } catch {
        // The disk may be full. The log is on standard error as well.
      }
    },
    async *parts() {
      let files: string[] = []
      try {
        files = names()
      } catch {
        // Nothing has been logged.
      }
      for (const name of files) {
        // Another server may have removed it.
        const text = await readFile(join(directory, name), 'utf8').catch(() => undefined)
        if (text !== undefined) yield { name, text }
      }
    },
  }
}
