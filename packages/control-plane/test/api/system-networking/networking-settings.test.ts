/** Control plane specification 10.2: BFD sessions and settings of networking. */
import type { Wire } from '@steading/api'
import { jumboFramesMessages } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
})
afterAll(() => server.close())

const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

describe('BFD sessions', () => {
  const session = (remote: string, more: Partial<Wire.BfdSessionEnable> = {}) => ({
    body: {
      remote,
      detection_threshold: 3,
      required_rx: 300_000,
      switch_slot: 'switch0' as const,
      mode: 'single_hop' as const,
      ...more,
    },
  })
  const stateOf = async (peer: string) =>
    (await admin.call('networking_bfd_status')).find((one) => one.peer === peer)

  test('can be enabled, watched and disabled', async () => {
    const remote = '2001:db8::1'
    const { body } = session('2001:DB8:0::1', { local: '2001:db8::2' })
    await admin.call('networking_bfd_enable', { body })
    const { remote: _, ...rest } = body
    expect(await stateOf(remote)).toEqual({ ...rest, peer: remote, state: 'up' })
    const { uplinks } = server.host.controlPlane.engines
    await uplinks.takeDown('switch0', remote)
    expect(await stateOf(remote)).toMatchObject({ state: 'down' })
    const disable = { body: { remote, switch_slot: 'switch0' as const } }
    await admin.call('networking_bfd_disable', disable)
    expect(await stateOf(remote)).toBeUndefined()
    expect(await admin.refusal('networking_bfd_disable', disable)).toMatchObject({
      status: 404,
      message: `not found: bfd-session with id "${remote} on switch0"`,
    })
  })

  test('are refused if they exist, and with invalid values', async () => {
    await admin.call('networking_bfd_enable', session('192.0.2.1'))
    const refusal = async (...args: Parameters<typeof session>) =>
      (await admin.refusal('networking_bfd_enable', session(...args))).message
    expect(await refusal('192.0.2.1')).toBe('already exists: bfd-session "192.0.2.1 on switch0"')
    await admin.call('networking_bfd_enable', session('192.0.2.1', { switch_slot: 'switch1' }))
    expect(await refusal('192.0.2.2', { local: '2001:db8::1' })).toBe(
      'local and remote must be of the same address family',
    )
    expect(await refusal('192.0.2.2', { detection_threshold: 0 })).toBe(
      'unsupported value for "detection_threshold": must be at least 1',
    )
    for (const required_rx of [0, 2 ** 32]) {
      expect(await refusal('192.0.2.2', { required_rx })).toBe(
        'unsupported value for "required_rx": must be from 1 to 4294967295 microseconds',
      )
    }
  })
})

describe('settings of networking', () => {
  test('decide whether services answer ICMP', async () => {
    expect(await admin.call('networking_inbound_icmp_view')).toEqual({ enabled: true })
    await admin.call('networking_inbound_icmp_update', { body: { enabled: false } })
    expect(await admin.call('networking_inbound_icmp_view')).toEqual({ enabled: false })
  })

  test('permit jumbo frames, which stay when that is revoked', async () => {
    const query = { project: 'jumbo' }
    await admin.call('project_create', { body: { name: 'jumbo', description: '' } })
    const wanted = (name: string) => ({
      query,
      body: { ...smallInstance(name), enable_jumbo_frames: true },
    })
    expect(await admin.refusal('instance_create', wanted('before'))).toEqual(
      invalid(jumboFramesMessages.create),
    )
    expect(await admin.call('system_networking_settings_view')).toEqual({
      external_jumbo_frames_opt_in_enabled: false,
    })
    const settings = { external_jumbo_frames_opt_in_enabled: true }
    expect(await admin.call('system_networking_settings_update', { body: settings })).toEqual(
      settings,
    )
    const instance = await admin.call('instance_create', wanted('large'))
    expect(instance.enable_jumbo_frames).toBe(true)
    await admin.call('system_networking_settings_update', { body: {} })
    const update = (enable_jumbo_frames: boolean) => ({
      params: { instance: instance.id },
      body: {
        ncpus: instance.ncpus,
        memory: instance.memory,
        boot_disk: null,
        auto_restart_policy: null,
        cpu_platform: null,
        enable_jumbo_frames,
      },
    })
    expect(await admin.call('instance_update', update(true))).toMatchObject({
      enable_jumbo_frames: true,
    })
    expect(await admin.call('instance_update', update(false))).toMatchObject({
      enable_jumbo_frames: false,
    })
    expect(await admin.refusal('instance_update', update(true))).toEqual(
      invalid(jumboFramesMessages.update),
    )
  })
})
