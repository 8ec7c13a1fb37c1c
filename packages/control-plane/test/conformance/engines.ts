/**
 * The control plane's requirements for the engines behind its ports. An engine that passes can
 * replace another.
 */
import { clockFinding, type ConsolePlace, type HostCheck, hostChecks } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import type { ConsoleStart, Consoles } from '../../src/kernel/ports/consoles.ts'
import type { Engines } from '../../src/kernel/ports/engines.ts'
import { UnusablePoolError } from '../../src/kernel/ports/storage-pools.ts'
import type { BaseboardId } from '../../src/kernel/ports/hardware.ts'
import type {
  MachineObservation,
  MachinePhase,
  Machines,
  MachineSpec,
} from '../../src/kernel/ports/machines.ts'
import { until } from '../support/things.ts'

/** The engines under test, with controls for their guests beyond the ports. */
export interface EnginesUnderTest extends Engines {
  /** The sled on which machines are placed. */
  sled: MachineSpec['sled']
  /** Another sled to which machines can migrate; undefined for an engine of one host. */
  otherSled: MachineSpec['sled'] | undefined
  /**
   * Makes moves of a machine to the other sled fail.
   * @returns ends that
   */
  failMoves: (machineId: string) => Promise<() => Promise<void>>
  /** Crashes the host of a machine. */
  fail: (machineId: string) => Promise<void>
  /** The end of what a guest prints when it boots. */
  booted: string
  /** Keys typed at its console that make a guest power itself off. */
  powerOff: string
  /** Keys that make a guest reboot its machine. */
  reboot: string
  /** Keys that make a guest print a word on a line of its own. */
  say: (word: string) => string
}

const encoder = new TextEncoder()
const text = (data: Uint8Array) => new TextDecoder().decode(data)
const GiB = 2 ** 30

/** A volume that is attached to the machine, for engines whose machines open no files. */
function volumeSpec(volume: Omit<MachineSpec['volumes'][number], 'id' | 'source'>) {
  const id = crypto.randomUUID()
  return { id, ...volume, source: { path: id, format: 'raw' as const } }
}

/** A machine with all possible parts. */
export const fullSpec = (sled: MachineSpec['sled']): MachineSpec => ({
  name: 'machine',
  hostname: 'guest',
  ncpus: 2,
  memory: GiB,
  sled,
  volumes: [
    volumeSpec({ name: 'boot', size: GiB, slot: 0, boot: true, readOnly: false }),
    volumeSpec({ name: 'data', size: 2 * GiB, slot: 1, boot: false, readOnly: true }),
  ],
  interfaces: [
    {
      name: 'net0',
      mac: 'A8:40:25:F0:00:01',
      primary: true,
      addresses: [
        { address: '172.30.0.5', prefixLength: 22, gateway: '172.30.0.1' },
        { address: 'fd00::5', prefixLength: 64, gateway: 'fd00::1' },
      ],
    },
  ],
  userData: btoa('#cloud-config'),
  sshPublicKeys: ['ssh-ed25519 AAAA key'],
})

async function reaches(machines: Machines, id: string, phase: MachinePhase) {
  return until(
    () => machines.observe(id),
    (seen) => expect(seen.phase).toBe(phase),
  )
}

/** A running machine for one test. */
async function runningMachine({ machines, sled }: EnginesUnderTest): Promise<string> {
  const id = crypto.randomUUID()
  onTestFinished(() => machines.destroy(id, undefined))
  await machines.run(id, fullSpec(sled), 1)
  await reaches(machines, id, 'running')
  return id
}

export function machinesConform(make: () => EnginesUnderTest): void {
  test('runs a machine once, however often it is requested', async () => {
    const { machines, sled } = make()
    const id = crypto.randomUUID()
    expect(await machines.observe(id)).toEqual({ phase: 'absent', reboots: 0 })
    const spec = fullSpec(sled)
    await Promise.all([machines.run(id, spec, 1), machines.run(id, spec, 1)])
    expect((await machines.list()).filter((listed) => listed === id)).toEqual([id])
    const seen = await machines.observe(id)
    expect(['booting', 'running']).toContain(seen.phase)
    await reaches(machines, id, 'running')
    await machines.run(id, spec, 1)
    expect(await machines.observe(id)).toMatchObject({ phase: 'running', reboots: 0 })
    await machines.destroy(id, 1)
  })

  test('keeps a stopped machine stopped', async () => {
    const engines = make()
    const { machines, sled } = engines
    const id = await runningMachine(engines)
    await Promise.all([machines.stop(id, 1), machines.stop(id, 1)])
    expect(['stopping', 'stopped']).toContain((await machines.observe(id)).phase)
    await reaches(machines, id, 'stopped')
    await machines.stop(id, 1)
    await machines.reboot(id, 1, 1)
    await machines.run(id, fullSpec(sled), 1)
    expect(await machines.observe(id)).toEqual({ phase: 'stopped', reboots: 0 })
  })

  test('can stop a machine while it boots', async () => {
    const { machines, sled } = make()
    const id = crypto.randomUUID()
    await machines.run(id, fullSpec(sled), 1)
    await machines.stop(id, 1)
    expect((await reaches(machines, id, 'stopped')).reboots).toBe(0)
    await machines.destroy(id, 1)
  })

  test('reboots once per count', async () => {
    const engines = make()
    const { machines } = engines
    const id = await runningMachine(engines)
    await Promise.all([machines.reboot(id, 1, 1), machines.reboot(id, 1, 1)])
    expect((await reaches(machines, id, 'running')).reboots).toBe(1)
    await machines.reboot(id, 1, 1)
    expect(await machines.observe(id)).toMatchObject({ phase: 'running', reboots: 1 })
    await machines.reboot(id, 2, 1)
    expect((await reaches(machines, id, 'running')).reboots).toBe(2)
  })

  test('refuses a step that a newer one has overtaken, even after the machine is gone', async () => {
    const engines = make()
    const { machines, sled } = engines
    const id = await runningMachine(engines)
    await machines.halt(id, 7)
    await expect(machines.stop(id, 6)).rejects.toThrow('overtaken')
    await machines.destroy(id, 8)
    await expect(machines.run(id, fullSpec(sled), 7)).rejects.toThrow('overtaken')
    expect(await machines.list()).not.toContain(id)
  })

  test('removes a destroyed machine', async () => {
    const engines = make()
    const { machines } = engines
    const id = await runningMachine(engines)
    await machines.destroy(id, 1)
    expect(await machines.observe(id)).toEqual({ phase: 'absent', reboots: 0 })
    expect(await machines.list()).not.toContain(id)
    await machines.destroy(id, 1)
  })

  test('ignores actions on a machine that does not exist', async () => {
    const { machines } = make()
    const id = crypto.randomUUID()
    await machines.stop(id, 1)
    await machines.reboot(id, 1, 1)
    await machines.destroy(id, 1)
    expect(await machines.list()).not.toContain(id)
  })

  test('keeps a migrating machine running, and moves it to the other sled', async ({ skip }) => {
    const engines = make()
    const { machines, consoles, sled, otherSled } = engines
    const { migrate } = machines
    if (!otherSled || !migrate) return skip('the engine has one host')
    const id = await runningMachine(engines)
    const { viewer: watching, seen: shown } = viewer()
    const line = consoles.open(id, { mostRecent: 0 }, watching)
    expect((await machines.observe(id)).sledId).toBe(sled.id)
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
    await Promise.all([migrate(id, otherSled, 1, first), migrate(id, otherSled, 1, first)])
    const progress: NonNullable<MachineObservation['move']>[] = []
    const moved = await until(
      async () => {
        const seen = await machines.observe(id)
        if (seen.move) progress.push(seen.move)
        return seen
      },
      (seen) => expect(seen).toMatchObject({ phase: 'running', reboots: 0, sledId: otherSled.id }),
    )
    expect(moved.move).toBeUndefined()
    for (const { total, processed, remaining, rate } of progress) {
      expect(total).toBeGreaterThanOrEqual(processed)
      expect(Math.min(processed, remaining, rate)).toBeGreaterThanOrEqual(0)
    }
    line.type(encoder.encode(engines.say('moved')))
    await expect.poll(shown).toContain('moved')
    line.leave()
    await migrate(id, otherSled, 1, first)
    await migrate(id, sled, 1, second)
    await machines.stop(id, 1)
    await reaches(machines, id, 'stopped')
    await migrate(id, otherSled, 1, crypto.randomUUID())
    expect((await machines.observe(id)).phase).toBe('stopped')
    await migrate(crypto.randomUUID(), otherSled, 1, crypto.randomUUID())
  })

  test('says why a move has failed, and begins only another one', async ({ skip }) => {
    const engines = make()
    const { machines, sled, otherSled } = engines
    const { migrate } = machines
    if (!otherSled || !migrate) return skip('the engine has one host')
    const id = await runningMachine(engines)
    const moveId = crypto.randomUUID()
    const works = await engines.failMoves(id)
    await migrate(id, otherSled, 1, moveId)
    const { moveFailure } = await until(
      () => machines.observe(id),
      (seen) => expect(seen.moveFailure).toMatchObject({ moveId }),
    )
    expect(moveFailure!.reason).toMatch(/^[A-Z].*[^.]$/)
    expect(moveFailure!.reason).not.toMatch(/(^|\s)\/\w/)
    await works()
    await migrate(id, otherSled, 1, moveId)
    expect(await machines.observe(id)).toMatchObject({
      phase: 'running',
      sledId: sled.id,
      moveFailure,
    })
    await migrate(id, otherSled, 1, crypto.randomUUID())
    const moved = await until(
      () => machines.observe(id),
      (seen) => expect(seen).toMatchObject({ phase: 'running', sledId: otherSled.id }),
    )
    expect(moved.moveFailure).toBeUndefined()
  })

  test('cancels a move, which then stays cancelled', async ({ skip }) => {
    const engines = make()
    const { machines, sled, otherSled } = engines
    const { migrate, cancelMove } = machines
    if (!otherSled || !migrate || !cancelMove) return skip('the engine has one host')
    const id = await runningMachine(engines)
    const early = crypto.randomUUID()
    await cancelMove(id, early, 1)
    await migrate(id, otherSled, 1, early)
    expect(await machines.observe(id)).toMatchObject({
      phase: 'running',
      sledId: sled.id,
      moveFailure: { moveId: early },
    })
    const moveId = crypto.randomUUID()
    await migrate(id, otherSled, 1, moveId)
    await Promise.all([cancelMove(id, moveId, 1), cancelMove(id, moveId, 1)])
    const { sledId } = await until(
      () => machines.observe(id),
      (seen) =>
        expect(seen.sledId === otherSled.id || seen.moveFailure?.moveId === moveId).toBe(true),
    )
    await migrate(id, otherSled, 1, moveId)
    expect(await machines.observe(id)).toMatchObject({ phase: 'running', reboots: 0, sledId })
    await cancelMove(crypto.randomUUID(), moveId, 1)
  })

  test('a halted machine has failed, at once and for good', async () => {
    const engines = make()
    const { machines, sled } = engines
    const id = crypto.randomUUID()
    onTestFinished(() => machines.destroy(id, undefined))
    await machines.run(id, fullSpec(sled), 1)
    await machines.halt(id, 1)
    await machines.halt(id, 1)
    expect((await machines.observe(id)).phase).toBe('failed')
    const other = await runningMachine(engines)
    await machines.stop(other, 1)
    await reaches(machines, other, 'stopped')
    await machines.halt(other, 1)
    expect((await machines.observe(other)).phase).toBe('stopped')
    await machines.halt(crypto.randomUUID(), 1)
  })

  test('a machine fails when its host crashes, and wakes the reconciler', async () => {
    const engines = make()
    const { machines } = engines
    const id = await runningMachine(engines)
    const noticed: string[] = []
    machines.subscribe((changed) => noticed.push(changed))
    await engines.fail(id)
    await expect.poll(() => noticed).toContain(id)
    expect((await machines.observe(id)).phase).toBe('failed')
    await machines.stop(id, 1)
    await machines.run(id, fullSpec(engines.sled), 1)
    expect((await machines.observe(id)).phase).toBe('failed')
  })

  test('a guest that powers itself off stops its machine, and wakes the reconciler', async () => {
    const engines = make()
    const { machines, consoles } = engines
    const id = await runningMachine(engines)
    const noticed: string[] = []
    machines.subscribe((changed) => noticed.push(changed))
    const line = consoles.open(id, { mostRecent: 0 }, viewer().viewer)
    line.type(encoder.encode(engines.powerOff))
    await reaches(machines, id, 'stopped')
    await expect.poll(() => noticed).toContain(id)
    line.leave()
  })
}

/** A viewer that keeps its output. */
function viewer(pending = () => 0) {
  let seen = ''
  const places: ConsolePlace[] = []
  const closed: (string | undefined)[] = []
  return {
    viewer: {
      write: (data: Uint8Array) => void (seen += text(data)),
      resumeAt: (place: ConsolePlace) => void places.push(place),
      pending,
      close: (_?: number, reason?: string) => void closed.push(reason),
    },
    seen: () => seen,
    places,
    closed,
  }
}

function watch(consoles: Consoles, id: string, start: ConsoleStart, pending?: () => number) {
  const { viewer: shown, ...watching } = viewer(pending)
  const line = consoles.open(id, start, shown)
  onTestFinished(() => line.leave())
  return { ...watching, line, type: (keys: string) => line.type(encoder.encode(keys)) }
}

export function consolesConform(make: () => EnginesUnderTest): void {
  /** The length of the output of a guest that has booted, and waits for keys. */
  const bootedLength = async ({ consoles, booted }: EnginesUnderTest, id: string) => {
    const { endOffset } = await until(
      () => consoles.read(id, 0),
      ({ data }) => expect(text(data).endsWith(booted)).toBe(true),
    )
    return endOffset
  }

  test('reads output by its offset since boot', async () => {
    const engines = make()
    const { consoles } = engines
    const id = await runningMachine(engines)
    const length = await bootedLength(engines, id)
    const whole = await consoles.read(id, 0)
    expect(whole.endOffset).toBe(length)
    expect(whole.data).toHaveLength(length)
    const { boot } = whole
    expect(boot).not.toBe('')
    expect(await consoles.read(id, 10, 5)).toEqual({
      boot,
      data: whole.data.slice(10, 15),
      endOffset: 15,
    })
    expect(await consoles.read(id, length - 3)).toEqual({
      boot,
      data: whole.data.slice(-3),
      endOffset: length,
    })
    expect(await consoles.read(id, length + 100)).toEqual({
      boot,
      data: new Uint8Array(),
      endOffset: length,
    })
  })

  test('a missing console is empty, and closes its viewers', async () => {
    const { consoles } = make()
    const id = crypto.randomUUID()
    expect(await consoles.length(id)).toBe(0)
    expect(await consoles.read(id, 0)).toEqual({ boot: '', data: new Uint8Array(), endOffset: 0 })
    const { closed } = watch(consoles, id, { mostRecent: 0 })
    await expect.poll(() => closed).toHaveLength(1)
  })

  test('a viewer learns its position, sees typed keys, and continues where another ended', async () => {
    const engines = make()
    const { consoles } = engines
    const id = await runningMachine(engines)
    const length = await bootedLength(engines, id)
    const first = watch(consoles, id, { mostRecent: 0 })
    await expect.poll(() => first.places).toEqual([{ boot: expect.any(String), offset: length }])
    first.type(engines.say('hello'))
    await expect.poll(first.seen).toMatch(/\r\nhello\r\n/)
    const whole = watch(consoles, id, { mostRecent: undefined })
    await expect.poll(whole.seen).toMatch(/\r\nhello\r\n/)
    await until(
      () => consoles.read(id, 0),
      ({ data, endOffset }) => {
        expect(text(data)).toBe(whole.seen())
        expect(encoder.encode(first.seen()).length).toBe(endOffset - length)
      },
    )
    const again = watch(consoles, id, first.places[0]!)
    await expect.poll(again.seen).toBe(first.seen())
    const newest = watch(consoles, id, { mostRecent: 4 })
    await expect.poll(newest.seen).toBe(whole.seen().slice(-4))
  })

  test('waits for a viewer with much pending output', async () => {
    const engines = make()
    const { consoles } = engines
    const id = await runningMachine(engines)
    let pending = Number.POSITIVE_INFINITY
    const full = watch(consoles, id, { mostRecent: undefined }, () => pending)
    await expect.poll(() => full.places).toHaveLength(1)
    expect(full.seen()).toBe('')
    pending = 0
    full.line.drained()
    await expect.poll(full.seen).not.toBe('')
  })

  test('a boot starts over, and moves viewers elsewhere to its beginning', async () => {
    const engines = make()
    const { consoles, machines } = engines
    const id = await runningMachine(engines)
    await bootedLength(engines, id)
    const before = watch(consoles, id, { mostRecent: 0 })
    await expect.poll(() => before.places).toHaveLength(1)
    await machines.reboot(id, 1, 1)
    await reaches(machines, id, 'running')
    await expect.poll(() => before.places.at(-1)).toEqual({ boot: expect.any(String), offset: 0 })
    expect(before.places.at(-1)!.boot).not.toBe(before.places[0]!.boot)
    const late = watch(consoles, id, { boot: before.places[0]!.boot, offset: 50 })
    await expect.poll(() => late.places.length).toBeGreaterThan(0)
    // Firmware without an operating system boots again by itself after a while.
    await expect.poll(() => before.places.slice(1)).toContainEqual(late.places[0])
  })

  const endings: [string, (engines: EnginesUnderTest, id: string) => Promise<void>][] = [
    ['is stopped', ({ machines }, id) => machines.stop(id, 1)],
    ['fails', (engines, id) => engines.fail(id)],
    ['is halted', ({ machines }, id) => machines.halt(id, 1)],
  ]
  test.each(endings)(
    'a machine that %s closes its viewers, who have seen all that is kept',
    async (_, end) => {
      const engines = make()
      const { consoles, machines } = engines
      const id = await runningMachine(engines)
      await bootedLength(engines, id)
      const viewer = watch(consoles, id, { mostRecent: undefined })
      await expect.poll(() => viewer.places).toHaveLength(1)
      await end(engines, id)
      await expect.poll(() => viewer.closed).toHaveLength(1)
      const kept = await consoles.read(id, 0)
      expect(kept.boot).toBe(viewer.places[0]!.boot)
      expect(text(kept.data)).toBe(viewer.seen())
      const late = watch(consoles, id, { mostRecent: undefined })
      await expect.poll(() => late.closed).toHaveLength(1)
      await machines.destroy(id, 1)
      expect((await consoles.read(id, 0)).boot).toBe('')
    },
  )

  test('a guest that reboots by itself boots again, and can still be rebooted from outside', async () => {
    const engines = make()
    const { consoles, machines } = engines
    const id = await runningMachine(engines)
    await bootedLength(engines, id)
    const viewer = watch(consoles, id, { mostRecent: 0 })
    await expect.poll(() => viewer.places).toHaveLength(1)
    viewer.type(engines.reboot)
    await expect.poll(() => viewer.places).toHaveLength(2)
    expect(viewer.places[1]!.boot).not.toBe(viewer.places[0]!.boot)
    await reaches(machines, id, 'running')
    expect((await machines.observe(id)).reboots).toBe(0)
    await machines.reboot(id, 1, 1)
    await expect.poll(() => viewer.places).toHaveLength(3)
    expect((await reaches(machines, id, 'running')).reboots).toBe(1)
  })

  test('closes the viewers of a destroyed machine', async () => {
    const engines = make()
    const id = await runningMachine(engines)
    const { closed, places } = watch(engines.consoles, id, { mostRecent: 0 })
    await expect.poll(() => places).toHaveLength(1)
    await engines.machines.destroy(id, 1)
    await expect.poll(() => closed).toHaveLength(1)
  })
}

export function volumesConform(make: () => EnginesUnderTest): void {
  const spec = { size: 1_000_000, blockSize: 512 }
  const bytes = (value: number, length = 512) => new Uint8Array(length).fill(value)
  const read = async ({ volumes }: Engines, id: string, at: number, length: number) =>
    Uint8Array.from(await volumes.read(id, at, length))

  async function volume({ volumes }: Engines, source?: string): Promise<string> {
    const id = crypto.randomUUID()
    onTestFinished(() => volumes.delete(id))
    await volumes.create(id, { ...spec, source })
    await volumes.create(id, { ...spec, source })
    return id
  }

  test('a volume is zeros until it is written to, and ends at its size', async () => {
    const engines = make()
    const { volumes } = engines
    const id = await volume(engines)
    expect((await volumes.list()).filter((listed) => listed === id)).toEqual([id])
    expect(await read(engines, id, 0, 512)).toEqual(bytes(0))
    await Promise.all([volumes.write(id, 512, bytes(1)), volumes.write(id, 1024, bytes(2))])
    expect(await read(engines, id, 1023, 2)).toEqual(Uint8Array.of(1, 2))
    for (const at of [-1, spec.size - 511]) {
      await expect(volumes.write(id, at, bytes(3))).rejects.toThrow('has no bytes')
      await expect(volumes.read(id, at, 512)).rejects.toThrow('has no bytes')
    }
  })

  test('knows the written extents until the volume is sealed', async () => {
    const engines = make()
    const { volumes } = engines
    const id = await volume(engines)
    await volumes.write(id, 512, bytes(1))
    await volumes.write(id, 1024, bytes(1))
    expect(await volumes.written(id)).toEqual([{ offset: 512, length: 1024 }])
    await volumes.seal(id)
    await volumes.seal(id)
    expect(await volumes.written(id)).toEqual([])
    expect(await read(engines, id, 512, 512)).toEqual(bytes(1))
  })

  test('a snapshot keeps its bytes when its volume is changed or deleted', async () => {
    const engines = make()
    const { volumes } = engines
    const id = await volume(engines)
    await volumes.write(id, 0, bytes(1))
    const snapshot = crypto.randomUUID()
    const offline = { consistency: 'offline' }
    expect(await volumes.createSnapshot(snapshot, id)).toEqual(offline)
    await volumes.write(id, 0, bytes(2))
    expect(await volumes.createSnapshot(snapshot, id)).toEqual(offline)
    expect(await read(engines, snapshot, 0, 512)).toEqual(bytes(1))
    expect(await volumes.listSnapshots()).toContain(snapshot)
    const [first, second] = [id, snapshot].toSorted()
    expect(await volumes.withBytes('', 1_000)).toEqual(expect.arrayContaining([first, second]))
    expect(await volumes.withBytes(first!, 1_000)).toContain(second)
    expect(await volumes.withBytes(second!, 1_000)).not.toContain(second)
    expect((await volumes.withBytes('', 1_000)).slice(0, 1)).toEqual(await volumes.withBytes('', 1))
    expect(await volumes.check(snapshot, async () => {})).toEqual([])
    expect(await volumes.list()).not.toContain(snapshot)
    const copy = await volume(engines, snapshot)
    await volumes.delete(id)
    await volumes.write(copy, 512, bytes(3))
    expect(await read(engines, snapshot, 0, 1024)).toEqual(
      Uint8Array.from([...bytes(1), ...bytes(0)]),
    )
    await volumes.deleteSnapshot(snapshot)
    await volumes.deleteSnapshot(snapshot)
    expect(await volumes.listSnapshots()).not.toContain(snapshot)
    expect(await read(engines, copy, 0, 1024)).toEqual(Uint8Array.from([...bytes(1), ...bytes(3)]))
  })

  test('a volume grows, and its snapshots and copies keep their sizes', async () => {
    const engines = make()
    const { volumes } = engines
    const id = await volume(engines)
    await volumes.write(id, 0, bytes(1))
    const snapshot = crypto.randomUUID()
    onTestFinished(() => volumes.deleteSnapshot(snapshot))
    await volumes.createSnapshot(snapshot, id)
    const size = spec.size + 1024 * 1024
    for (const wanted of [size, size, spec.size]) await volumes.grow(id, wanted)
    const last = size - 512
    expect(await read(engines, id, 0, 512)).toEqual(bytes(1))
    expect(await read(engines, id, last, 512)).toEqual(bytes(0))
    await volumes.write(id, last, bytes(2))
    expect(await read(engines, id, last, 512)).toEqual(bytes(2))
    await expect(volumes.read(id, size, 512)).rejects.toThrow('has no bytes')
    await expect(volumes.read(snapshot, last, 512)).rejects.toThrow('has no bytes')
    await expect(volumes.grow(crypto.randomUUID(), size)).rejects.toThrow('there is no volume')
  })

  test('a volume becomes its snapshot again, with zeros where it has grown', async () => {
    const engines = make()
    const { volumes } = engines
    const id = await volume(engines)
    const snapshot = crypto.randomUUID()
    const blank = crypto.randomUUID()
    onTestFinished(async () => {
      for (const each of [snapshot, blank]) await volumes.deleteSnapshot(each)
    })
    await volumes.createSnapshot(blank, id)
    await volumes.write(id, 0, bytes(1))
    await volumes.createSnapshot(snapshot, id)
    const last = spec.size + 1024 * 1024 - 512
    await volumes.grow(id, last + 512)
    for (const at of [0, 512, last]) await volumes.write(id, at, bytes(2))
    for (const _ of [1, 2]) await volumes.rollBack(id, snapshot)
    expect(await read(engines, id, 0, 1024)).toEqual(Uint8Array.from([...bytes(1), ...bytes(0)]))
    expect(await read(engines, id, last, 512)).toEqual(bytes(0))
    // Neither writes to the other.
    await volumes.write(id, 0, bytes(3))
    expect(await read(engines, snapshot, 0, 512)).toEqual(bytes(1))
    await volumes.rollBack(id, blank)
    expect(await read(engines, id, 0, 512)).toEqual(bytes(0))
    await volumes.write(id, last, bytes(4))
    expect(await read(engines, id, last, 512)).toEqual(bytes(4))
    await expect(volumes.rollBack(id, crypto.randomUUID())).rejects.toThrow('there is no volume')
  })

  test('says where a hypervisor opens an attached volume', async () => {
    const engines = make()
    const { volumes } = engines
    const id = await volume(engines)
    const machineId = crypto.randomUUID()
    const source = await volumes.attach(id, machineId, 1)
    expect(source.path).not.toBe('')
    expect(await volumes.attach(id, machineId, 1)).toEqual(source)
    await volumes.detach(id, machineId, 2)
    await volumes.detach(id, machineId, 2)
    await expect(volumes.attach(id, machineId, 1)).rejects.toThrow('overtaken')
    await volumes.write(id, 0, bytes(1))
    expect(await read(engines, id, 0, 512)).toEqual(bytes(1))
  })

  test('removes a deleted volume', async () => {
    const engines = make()
    const { volumes } = engines
    const id = await volume(engines)
    await volumes.write(id, 0, bytes(1))
    await volumes.delete(id)
    await volumes.delete(id)
    expect(await volumes.list()).not.toContain(id)
    await expect(volumes.read(id, 0, 1)).rejects.toThrow('there is no volume')
    const unborn = crypto.randomUUID()
    await expect(volumes.createSnapshot(unborn, id)).rejects.toThrow('there is no volume')
    expect(await volumes.listSnapshots()).not.toContain(unborn)
  })
}

/** The hardware under test, with hosts that an operator may name. */
export interface HostsUnderTest extends Required<Pick<Engines, 'hardware' | 'enrolment'>> {
  /** The address of a host that passes the checks, and is not enrolled. */
  address: string
  /** Another address of the same host. */
  otherAddress: string
  /** The address of a host that fails a check. */
  failing: { address: string; check: HostCheck }
}

export function hostsConform(make: () => HostsUnderTest): void {
  const slotOf = async ({ hardware }: HostsUnderTest, { part, serial }: BaseboardId) => {
    const { sleds } = await hardware.inventory()
    const found = sleds.filter((sled) => sled.part === part && sled.serial === serial)
    expect(found.length).toBeLessThanOrEqual(1)
    return found[0]?.cubby
  }
  const passing = async ({ enrolment, address }: HostsUnderTest): Promise<BaseboardId> => {
    const { host } = await enrolment.examine(address)
    if (!host) throw new Error(`the host at ${address} fails a check`)
    return host
  }

  test('checks a host in order, without changing anything', async () => {
    const engines = make()
    const { findings, host } = await engines.enrolment.examine(engines.address)
    expect(findings.map(({ check }) => check)).toEqual(hostChecks)
    for (const { outcome, detail, remedy } of findings) {
      expect(outcome).not.toBe('failed')
      expect(detail).not.toMatch(/^$|\.$/)
      expect(remedy === null).toBe(outcome === 'passed')
    }
    expect(await slotOf(engines, host!)).toBeUndefined()
    expect(engines.enrolment.connection(host!.serial)).toBeUndefined()
    const other = await engines.enrolment.examine(engines.otherAddress)
    expect(other.host).toEqual(host)
  })

  test('does not look at a host further after a check that failed', async () => {
    const { enrolment, failing } = make()
    const { findings, host } = await enrolment.examine(failing.address)
    expect(host).toBeUndefined()
    expect(findings.map(({ check }) => check)).toEqual(
      hostChecks.slice(0, hostChecks.indexOf(failing.check) + 1),
    )
    const failed = findings.filter(({ outcome }) => outcome === 'failed')
    expect(failed).toMatchObject([{ check: failing.check, remedy: expect.any(String) }])
  })

  test('a host is in the inventory from its enrolment until it is forgotten', async () => {
    const engines = make()
    const { hardware, enrolment, address, otherAddress } = engines
    const host = await passing(engines)
    onTestFinished(() => enrolment.forget(host))
    await Promise.all([enrolment.enroll(host, address), enrolment.enroll(host, address)])
    const slot = await slotOf(engines, host)
    expect(slot).toEqual(expect.any(Number))
    await until(
      async () => {
        await hardware.inventory()
        return enrolment.connection(host.serial)
      },
      (connection) => expect(connection).toMatchObject({ connected: true }),
    )
    // It can be examined again, at any of its addresses, and is still itself.
    expect((await enrolment.examine(address)).host).toEqual(host)
    expect((await enrolment.examine(otherAddress)).host).toEqual(host)
    await enrolment.enroll(host, otherAddress)
    expect(await slotOf(engines, host)).toBe(slot)
    await enrolment.forget(host)
    await enrolment.forget(host)
    expect(await slotOf(engines, host)).toBeUndefined()
    expect(enrolment.connection(host.serial)).toBeUndefined()
    await enrolment.enroll(host, address)
    expect(await slotOf(engines, host)).toBe(slot)
  })

  test('says of an enrolled host whether it answers now, its clock, and whether it is clear of ended machines', async () => {
    const engines = make()
    const { enrolment, address } = engines
    expect(await enrolment.answers('NOBODY')).toBe(false)
    expect(await enrolment.isClear('NOBODY')).toBe(false)
    expect(await enrolment.clockAhead('NOBODY')).toBeUndefined()
    const host = await passing(engines)
    onTestFinished(() => enrolment.forget(host))
    await enrolment.enroll(host, address)
    expect(await enrolment.answers(host.serial)).toBe(true)
    expect(await enrolment.isClear(host.serial)).toBe(true)
    expect(clockFinding((await enrolment.clockAhead(host.serial))!).outcome).toBe('passed')
  })

  test('an enrolled host becomes a member, and is released', async () => {
    const engines = make()
    const { hardware, enrolment, address } = engines
    const host = await passing(engines)
    onTestFinished(() => enrolment.forget(host))
    await enrolment.enroll(host, address)
    const isMember = (id: string | undefined) =>
      until(
        async () => (await hardware.inventory()).sleds.find(({ serial }) => serial === host.serial),
        (sled) => expect(sled?.id).toBe(id),
      )
    await isMember(undefined)
    const id = crypto.randomUUID()
    await hardware.adopt(host, id)
    await isMember(id)
    await hardware.release(host)
    await isMember(undefined)
  })

  test('forgetting a host that is unknown does nothing', async () => {
    const { enrolment } = make()
    const unknown = { part: 'unknown', serial: crypto.randomUUID() }
    await expect(enrolment.forget(unknown)).resolves.toBeUndefined()
  })
}

/** Storage pools under test, with directories that an operator may name. */
export interface PoolsUnderTest extends Required<Pick<Engines, 'volumes' | 'storagePools'>> {
  /** Directories that can become pools; each is used once. */
  directories: () => string
  /** One that cannot. */
  unusable: string
}

export function poolsConform(make: () => PoolsUnderTest): void {
  const spec = { size: 1024 * 1024, blockSize: 512 }
  const bytes = (fill: number) => new Uint8Array(512).fill(fill)
  const read = async ({ volumes }: PoolsUnderTest, id: string, offset: number, length: number) =>
    Uint8Array.from(await volumes.read(id, offset, length))

  async function addPool({ storagePools, directories }: PoolsUnderTest): Promise<string> {
    const id = crypto.randomUUID()
    const path = directories()
    await storagePools.add({ id, path })
    await storagePools.add({ id, path })
    return id
  }
  const volumeIn = async ({ volumes }: PoolsUnderTest, pool?: string): Promise<string> => {
    const id = crypto.randomUUID()
    onTestFinished(() => volumes.delete(id))
    await volumes.create(id, { ...spec, ...(pool !== undefined && { pool }) })
    return id
  }
  const moved = ({ storagePools }: PoolsUnderTest, id: string, pool: string | null) =>
    until(
      () => storagePools.move(id, pool),
      ({ done }) => expect(done).toBe(true),
    )
  /** Whether a volume is in a pool: then its move there has nothing to do. */
  const isIn = ({ storagePools }: PoolsUnderTest, id: string, pool: string | null) =>
    storagePools.stay(id, pool)

  test('looks at a directory without making it a pool', async () => {
    const { storagePools, directories, unusable } = make()
    const place = { id: crypto.randomUUID(), path: directories() }
    for (const _ of [1, 2]) {
      const { problem, size, free } = await storagePools.examine(place)
      expect(problem).toBeUndefined()
      expect(size).toBeGreaterThan(0)
      expect(free).toBeLessThanOrEqual(size!)
    }
    const bad = { ...place, path: unusable }
    expect((await storagePools.examine(bad)).problem).toMatch(/[^.]$/)
    await expect(storagePools.add(bad)).rejects.toThrow(UnusablePoolError)
    await storagePools.add(place)
    expect((await storagePools.examine(place)).problem).toBeUndefined()
    await storagePools.remove(place)
    await storagePools.remove(place)
  })

  test('a volume moves with its bytes, and its snapshots and copies stay', async () => {
    const engines = make()
    const { volumes } = engines
    const [one, other] = [await addPool(engines), await addPool(engines)]
    const id = await volumeIn(engines, one)
    expect(await isIn(engines, id, one)).toBe(true)
    await volumes.write(id, 512, bytes(1))
    const snapshot = crypto.randomUUID()
    onTestFinished(() => volumes.deleteSnapshot(snapshot))
    await volumes.createSnapshot(snapshot, id)
    await volumes.write(id, 1024, bytes(2))
    for (const pool of [other, null, one]) {
      await moved(engines, id, pool)
      await moved(engines, id, pool)
      expect(await isIn(engines, id, pool)).toBe(true)
      expect(await read(engines, id, 512, 1024)).toEqual(
        Uint8Array.from([...bytes(1), ...bytes(2)]),
      )
      await volumes.write(id, 1536, bytes(3))
    }
    expect(await read(engines, snapshot, 512, 1024)).toEqual(
      Uint8Array.from([...bytes(1), ...bytes(0)]),
    )
    await moved(engines, id, other)
    const copy = crypto.randomUUID()
    onTestFinished(() => volumes.delete(copy))
    await volumes.create(copy, { ...spec, source: snapshot, pool: other })
    expect(await isIn(engines, copy, one)).toBe(true)
    expect(await read(engines, copy, 512, 512)).toEqual(bytes(1))
    await moved(engines, copy, other)
    expect(await read(engines, copy, 512, 512)).toEqual(bytes(1))
    expect(await volumes.check(copy, async () => {})).toEqual([])
  })

  test('a move that is ended leaves the volume where it is', async () => {
    const engines = make()
    const pool = await addPool(engines)
    const id = await volumeIn(engines)
    await engines.volumes.write(id, 0, bytes(1))
    const { done } = await engines.storagePools.move(id, pool)
    expect(await isIn(engines, id, null)).toBe(!done)
    expect(await isIn(engines, id, pool)).toBe(done)
    expect(await read(engines, id, 0, 512)).toEqual(bytes(1))
    await moved(engines, id, pool)
    await moved(engines, id, null)
    expect(await isIn(engines, id, pool)).toBe(false)
  })

  test('moves nothing to a pool that is not there', async () => {
    const engines = make()
    const id = await volumeIn(engines)
    const nowhere = crypto.randomUUID()
    await expect(engines.storagePools.move(id, nowhere)).rejects.toThrow(UnusablePoolError)
    expect(await isIn(engines, id, null)).toBe(true)
    await expect(engines.storagePools.move(id, null)).resolves.toMatchObject({ done: true })
    const other = crypto.randomUUID()
    await expect(engines.storagePools.move(other, null)).rejects.toThrow('no volume')
  })
}
