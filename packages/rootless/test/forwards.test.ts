/** The ports of the machine that lead into a host. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chooseForwards } from '../src/index.ts'

const range = { first: 18_000, last: 18_399, address: '127.0.0.1' }

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'steading-forwards-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

async function listen(port: number): Promise<void> {
  const server = createServer().listen(port, range.address)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
}

test('a host keeps its block of ports, and takes another one if a port of it is taken', async () => {
  const directory = newDirectory()
  const first = await chooseForwards(directory, range, 20)
  expect(first.last - first.first).toBe(19)
  expect((first.first - range.first) % 20).toBe(0)
  expect(await chooseForwards(directory, range, 20)).toEqual(first)
  await listen(first.first + 7)
  const second = await chooseForwards(directory, range, 20)
  expect(second.first).not.toBe(first.first)
  expect(await chooseForwards(directory, range, 20)).toEqual(second)
})

test('without a free block, a host has one nevertheless', async () => {
  const directory = newDirectory()
  const only = { ...range, last: range.first + 1 }
  for (const port of [only.first, only.last]) await listen(port)
  expect(await chooseForwards(directory, only, 2)).toEqual({ first: only.first, last: only.last })
})
