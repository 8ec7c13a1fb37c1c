/** The Unix socket for a reverse proxy. */
import { once } from 'node:events'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { takeSocketPath } from '../src/listening.ts'
import { temporaryDirectory } from './support/process.ts'

test('the path of a socket is taken from a killed server, but from no other file', async () => {
  const path = join(temporaryDirectory(), 'proxy')
  const server = createServer((socket) => socket.destroy()).listen(`${path}-before`)
  await once(server, 'listening')
  renameSync(`${path}-before`, path)
  onTestFinished(() => void server.close())
  await expect(takeSocketPath(path)).rejects.toThrow('another server listens')
  server.close()
  await once(server, 'close')
  // A server that is closed removes its own path only.
  expect(existsSync(path)).toBe(true)
  await takeSocketPath(path)
  expect(existsSync(path)).toBe(false)
  await takeSocketPath(path)
  writeFileSync(path, '')
  await expect(takeSocketPath(path)).rejects.toThrow('there is another file')
  expect(existsSync(path)).toBe(true)
})
