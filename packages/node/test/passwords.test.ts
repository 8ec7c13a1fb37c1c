import { expect, test } from 'vitest'
import { createPasswordHasher, parsePasswordCost } from '../src/passwords.ts'

const cheap = { memoryKiB: 64, passes: 1 }

test('a password matches its own hash and no other', async () => {
  const { hash, verify } = createPasswordHasher(cheap)
  const phc = await hash('correct horse')
  expect(phc).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verify('correct horse', phc)).toBe(true)
  expect(await verify('correct horsf', phc)).toBe(false)
  expect(await verify('', phc)).toBe(false)
})

test('the same password has a different hash each time', async () => {
  const { hash } = createPasswordHasher(cheap)
  expect(await hash('same')).not.toBe(await hash('same'))
})

test('hashes of another cost are verified with that cost', async () => {
  const phc = await createPasswordHasher({ memoryKiB: 128, passes: 2 }).hash('moved')
  expect(phc).toContain('$m=128,t=2,p=1$')
  expect(await createPasswordHasher(cheap).verify('moved', phc)).toBe(true)
})

test('the reference implementation produces the same hash', async () => {
  // echo -n password | argon2 somesalt -id -m 8 -t 2 -p 4 -e
  const phc = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  const { verify } = createPasswordHasher(cheap)
  expect(await verify('password', phc)).toBe(true)
  expect(await verify('Password', phc)).toBe(false)
})

test.each(['', 'plain', '$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$AAAA', '$argon2id$v=19$m=1$a$b'])(
  'a hash like "%s" matches nothing',
  async (phc) => {
    expect(await createPasswordHasher(cheap).verify('password', phc)).toBe(false)
  },
)

test('concurrent hashes are all correct', async () => {
  const { hash, verify } = createPasswordHasher(cheap)
  const phc = await hash('busy')
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => verify(index % 2 ? 'busy' : 'idle', phc)),
  )
  expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index % 2 === 1))
})

test('costs are parsed and bounded', () => {
  expect(parsePasswordCost('m=98304,t=3')).toEqual({ memoryKiB: 98_304, passes: 3 })
  for (const bad of ['', 'm=7,t=1', 'm=8,t=0', 't=3,m=8', 'm=8,t=1,p=1']) {
    expect(parsePasswordCost(bad)).toBeUndefined()
  }
})
