/** Keys for a machine that does not take them. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectTo } from '../src/hosts/sockets-of-hosts.ts'
import { openKeyboard } from '../src/keyboard.ts'

/** A machine whose serial port is not read before `resume`. */
async function machine() {
  const directory = mkdtempSync(join(tmpdir(), 'steading-keys-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'serial')
  const server = createServer({ pauseOnConnect: true }).listen(path)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const connected = once(server, 'connection').then(([socket]) => socket as Socket)
  return { path, connected }
}

test('typing ends when the machine has taken the keys', async () => {
  const { path, connected } = await machine()
  const keyboard = openKeyboard(connectTo(path), () => {})
  let isTaken = false
  // More than the buffers of the operating system.
  const bytes = 8 * 1024 * 1024
  const typing = keyboard.type(new Uint8Array(bytes)).then(() => (isTaken = true))
  const port = await connected
  expect(isTaken).toBe(false)
  let received = 0
  port.on('data', ({ length }) => (received += length)).resume()
  await typing
  keyboard.close()
  await once(port, 'end')
  expect(received).toBe(bytes)
})

test('a closed keyboard is over at once, so that nobody types after its end', async () => {
  const { path, connected } = await machine()
  const endings: unknown[] = []
  const keyboard = openKeyboard(connectTo(path), (...failure) => endings.push(failure))
  await connected
  const typing = keyboard.type(new Uint8Array(8 * 1024 * 1024))
  keyboard.close()
  expect(endings).toEqual([[]])
  ;(await connected).destroy()
  await typing
  expect(endings).toEqual([[]])
})
