/** The order of password checks when many are waiting. */
import {
  PASSWORDS_AT_ONCE,
  PASSWORDS_BUSY_WAIT_MS,
  PASSWORDS_OF_NETWORK_MAX,
  PASSWORDS_WAITING_MAX,
  signInBusyMessage,
} from '@steading/api/rules'
import { expect, test } from 'vitest'
import { ApiError } from '../src/kernel/errors.ts'
import { createPasswordQueue } from '../src/resources/identity/auth/password-queue.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A hasher whose hashes end when the test says so. */
function gatedHasher() {
  const running: { password: string; end: () => void }[] = []
  const run = (password: string) =>
    new Promise<void>((resolve) => {
      running.push({ password, end: resolve })
    })
  return {
    running,
    /** The owners of the running hashes, once all that can start have started. */
    async names() {
      await settled()
      return running.map(({ password }) => password)
    },
    /** Ends the oldest running hash, and waits until the next one may have started. */
    async endOne() {
      running.shift()!.end()
      await settled()
    },
    hasher: {
      hash: (password: string) => run(password).then(() => password),
      verify: (password: string, phc: string) => run(password).then(() => password === phc),
    },
  }
}

const from = (clientAddress: string) => ({ known: false, clientAddress }) as const
const known = { known: true } as const

/** Requests many checks at once; `refused` collects the refusals. */
function flood(queue: ReturnType<typeof createPasswordQueue>, addresses: string[]) {
  const refused: unknown[] = []
  for (const address of addresses) {
    queue.verify(address, '', from(address)).catch((error: unknown) => refused.push(error))
  }
  return refused
}
const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `198.51.100.${index}`)

test('a known device waits for one hash at most, whatever strangers do', async () => {
  const { hasher, names, endOne } = gatedHasher()
  const queue = createPasswordQueue(hasher)
  flood(queue, addresses(200))
  const mine = queue.verify('mine', 'mine', known)
  expect(await names()).toEqual(addresses(PASSWORDS_AT_ONCE))
  await endOne()
  expect(await names()).toContain('mine')
  while ((await names()).includes('mine')) await endOne()
  expect(await mine).toBe(true)
})

test('strangers wait in a bounded queue', async () => {
  const { hasher, endOne } = gatedHasher()
  const queue = createPasswordQueue(hasher)
  const refused = flood(queue, addresses(200))
  await settled()
  expect(refused).toHaveLength(200 - PASSWORDS_AT_ONCE - PASSWORDS_WAITING_MAX.unknown)
  const [error] = refused as ApiError[]
  expect(error).toBeInstanceOf(ApiError)
  expect(error!.template).toMatchObject({
    status: 429,
    message: signInBusyMessage(PASSWORDS_BUSY_WAIT_MS),
  })
  expect(error!.headers).toEqual({ 'retry-after': String(PASSWORDS_BUSY_WAIT_MS / 1000) })
  // Each hash that ends frees a place in the queue.
  await endOne()
  expect(flood(queue, addresses(1))).toEqual([])
  await settled()
  expect(flood(queue, ['203.0.113.9'])).toEqual([])
})

test('one network does not take the places of others', async () => {
  const { hasher, names, endOne } = gatedHasher()
  const queue = createPasswordQueue(hasher)
  const refused = flood(
    queue,
    Array.from({ length: 50 }, () => '192.0.2.1'),
  )
  await settled()
  expect(refused).toHaveLength(50 - PASSWORDS_OF_NETWORK_MAX)
  // It runs one at a time, so another address does not have to wait.
  expect(await names()).toEqual(['192.0.2.1'])
  queue.verify('other', 'other', from('192.0.2.2')).catch(() => {})
  expect(await names()).toEqual(['192.0.2.1', 'other'])
  for (let index = 0; index < PASSWORDS_OF_NETWORK_MAX + 1; index++) await endOne()
  expect(await names()).toEqual([])
})

test('a large IPv6 network shares the places of a few small ones', async () => {
  const { hasher } = gatedHasher()
  const queue = createPasswordQueue(hasher)
  const places = async (of: (index: number) => string) => {
    const refused = flood(
      queue,
      Array.from({ length: 100 }, (_, index) => of(index)),
    )
    await settled()
    return 100 - refused.length
  }
  expect(await places((index) => `2001:db8:1:1::${index}`)).toBe(PASSWORDS_OF_NETWORK_MAX)
  expect(await places((index) => `2001:db8:2:${index.toString(16)}::1`)).toBeLessThanOrEqual(
    2 * PASSWORDS_OF_NETWORK_MAX,
  )
})

test('many new passwords delay neither a sign-in nor each other', async () => {
  const { hasher, names, endOne } = gatedHasher()
  const queue = createPasswordQueue(hasher)
  const made: string[] = []
  for (const name of ['first', 'second', 'third']) {
    void queue.hash(name).then((hash) => made.push(hash))
  }
  queue.verify('sign-in', '', from('192.0.2.1')).catch(() => {})
  expect(await names()).toEqual(['first', 'sign-in'])
  await endOne()
  expect(await names()).toEqual(['sign-in', 'second'])
  for (let times = 0; times < 3; times++) await endOne()
  expect(made).toEqual(['first', 'second', 'third'])
})

test('a failed hash gives its place to the next', async () => {
  let fail = true
  const queue = createPasswordQueue({
    hash: async (password) => password,
    async verify() {
      if (fail) throw new Error('no memory')
      return true
    },
  })
  const results = Array.from({ length: 5 }, () => queue.verify('', '', from('192.0.2.1')))
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual(
    Array.from({ length: 5 }, () => 'rejected'),
  )
  fail = false
  expect(await queue.verify('', '', from('192.0.2.1'))).toBe(true)
})
