/** The meaning of the words of clients, and their parameters. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PowerSwitch } from '@steading/control-plane/ports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultOf } from '../src/client.ts'
import { ipmi } from '../src/ipmi.ts'
import { hypervisor } from '../src/hypervisor.ts'

const at: PowerSwitch = {
  method: 'ipmi',
  address: 'bmc',
  port: 1623,
  user: 'operator',
  password: 'a secret',
  system: null,
  verifyCertificate: true,
}

/** A folder with clients that do what a test writes. */
let folder: string
const path = process.env.PATH
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clients-'))
  process.env.PATH = `${folder}:${path}`
})
afterAll(() => {
  process.env.PATH = path
  rmSync(folder, { recursive: true })
})
const client = (name: string, script: string) =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

test('ipmitool gets the password by its environment only', async () => {
  client(
    'ipmitool',
    `printf '%s\\n' "$*" "$IPMI_PASSWORD" >${folder}/seen; echo Chassis Power is on`,
  )
  expect(await ipmi.power(at)).toBe('on')
  const [args, password] = readFileSync(join(folder, 'seen'), 'utf8').split('\n')
  expect(args).toBe('-I lanplus -H bmc -p 1623 -U operator -E -N 2 -R 3 chassis power status')
  expect(password).toBe('a secret')
})

test('ipmitool is asked until the power is off, and not asked to switch off what is off', async () => {
  client(
    'ipmitool',
    `cd ${folder}; echo "$*" >>asked; case "$*" in *off) touch off;; esac; test -e off && echo Chassis Power is off || echo Chassis Power is on`,
  )
  await ipmi.switchOff(at)
  await ipmi.switchOff(at)
  const asked = readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')
  expect(asked.map((line) => line.split(' ').at(-1))).toEqual(['status', 'off', 'status', 'status'])
})

test.each([
  ['shut off', 'off'],
  ['running', 'on'],
  ['paused', 'on'],
  ['crashed', 'on'],
  ['in shutdown', 'on'],
])('a domain that is %s counts as %s', async (state, power) => {
  client('virsh', `echo ${state}`)
  const of = {
    ...at,
    method: 'hypervisor',
    address: 'qemu+ssh://hv/system',
    system: 'host-1',
  } as const
  expect(await hypervisor.power(of)).toBe(power)
})

test('an answer that is none proves nothing', async () => {
  client('ipmitool', 'echo Chassis Power is offline')
  await expect(ipmi.power(at)).rejects.toThrow('Chassis Power is offline')
  client('ipmitool', 'echo Error: Unable to establish IPMI v2 / RMCP+ session >&2; exit 1')
  await expect(ipmi.power(at)).rejects.toThrow('bmc does not answer')
  client('virsh', 'echo "error: failed to get domain" >&2; exit 1')
  await expect(hypervisor.power(at)).rejects.toThrow('failed to get domain')
})

test('reasons do not contain the password', () => {
  expect(faultOf('it is not a secret', at).message).toBe('it is not [password]')
})
