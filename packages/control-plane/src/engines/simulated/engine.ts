/**
 * A compute engine that runs nothing but behaves as if: machines take time to boot, print a boot
 * log, have a shell with a few commands, and outlive the process. For trying things out, for tests, and for the
 * demo.
 */
import type { ComputeEngine } from '../../kernel/ports/engine.ts'
import type { Settings } from '../../kernel/settings.ts'
import type { BlockStore } from '../../kernel/ports/block-store.ts'
import { ConsoleBuffer } from './console-buffer.ts'
import type { Fault, SimulatedOptions } from './options.ts'
import { Vm } from './vm.ts'
import { createVolumes } from './volumes.ts'
import type { VmState, World } from './world.ts'

export interface SimulatedEngine extends ComputeEngine {
  /** Makes a VM fail, as when its host dies. */
  crash: (vmId: string) => Promise<void>
  /** Makes actions fail from now on, or with nothing given, work again. */
  injectFaults: (fault?: Fault) => void
}

/** How often time passes for machines that are coming up or going down, in milliseconds. */
const TICK_MS = 50
/** How often commands running in guests get their turn, in milliseconds. */
const RUN_MS = 10

export function createSimulatedEngine(
  world: World,
  store: BlockStore,
  options: SimulatedOptions,
  { clock, log }: { clock: () => Date; log: Settings['log'] },
): SimulatedEngine {
  const vms = new Map<string, Vm>()
  let changed: (vmId: string) => void = () => {}
  let ticker: ReturnType<typeof setInterval> | undefined
  let runner: ReturnType<typeof setInterval> | undefined
  let closed = false
  const now = () => clock().getTime()
  let faults: Fault | undefined
  const fault: Fault = (action, id) => faults?.(action, id)
  const { start: startVolumes, ...volumes } = createVolumes(world, store, fault, log)

  /** Writes down what consoles say, and only then shows it: a crash takes back nothing seen. */
  const writeAll = async (vm: Vm): Promise<void> => {
    while (vm.written < vm.console.length) {
      const { data, endOffset } = vm.console.read(vm.written)
      await world
        .appendConsole(vm.id, endOffset - data.length, data)
        .catch((error) => log('writing down a console failed', error))
      vm.show(endOffset)
    }
    vm.writing = undefined
  }
  const write = async (vm: Vm): Promise<void> => {
    if (!vm.writing && vm.written < vm.console.length) vm.writing = writeAll(vm)
    await vm.writing
  }

  const busy = new Set<Vm>()
  const run = () => {
    for (const vm of busy) {
      vm.run()
      if (!vm.busy || vms.get(vm.id) !== vm) busy.delete(vm)
    }
    if (busy.size > 0) return
    clearInterval(runner)
    runner = undefined
  }
  const onOutput = (vm: Vm) => {
    if (closed) return
    void write(vm)
    if (!vm.busy) return
    busy.add(vm)
    runner ??= setInterval(run, RUN_MS)
  }

  const save = async (id: string, vm: Vm) => {
    await world.saveVm(id, vm.state)
    await write(vm)
  }

  /** Lets time pass for one machine; writes down what changed. */
  const advance = async (id: string, vm: Vm): Promise<void> => {
    if (vm.advance(now(), options)) await save(id, vm)
  }

  const tick = () => {
    let transitional = 0
    for (const [id, vm] of vms) {
      if (!vm.transitional) continue
      transitional++
      if (!vm.advance(now(), options)) continue
      save(id, vm)
        .then(() => changed(id))
        .catch((error) => log('writing down a simulated machine failed', error))
    }
    if (transitional === 0) {
      clearInterval(ticker)
      ticker = undefined
    }
  }
  const keepTicking = () => {
    if (!closed) ticker ??= setInterval(tick, TICK_MS)
  }

  return {
    async start() {
      for (const [id, state] of await world.vms()) {
        const vm = new Vm(id, state, onOutput)
        vms.set(id, vm)
        vm.restore(await world.console(id))
      }
      await startVolumes()
      keepTicking()
    },
    async close() {
      closed = true
      clearInterval(ticker)
      clearInterval(runner)
      for (const vm of vms.values()) {
        await write(vm)
        vm.disconnect('the control plane is shutting down')
      }
      await store.close()
    },
    subscribe(callback) {
      changed = callback
    },

    async run(id, spec) {
      fault('run', id)
      const known = vms.get(id)
      if (known && known.state.phase !== 'stopped') return advance(id, known)
      const state: VmState = { spec, phase: 'booting', since: now(), reboots: 0, printed: 0 }
      const vm = new Vm(id, state, onOutput)
      // Written down first: a machine that runs must be found again after a crash.
      await world.saveVm(id, state)
      vms.set(id, vm)
      await advance(id, vm)
      keepTicking()
    },
    async stop(id) {
      fault('stop', id)
      const vm = vms.get(id)
      if (!vm || ['stopping', 'stopped', 'failed'].includes(vm.state.phase)) return
      vm.enter('stopping', now())
      vm.print('\r\nStopping all services\r\n')
      await save(id, vm)
      await advance(id, vm)
      keepTicking()
    },
    async reboot(id, count) {
      fault('reboot', id)
      const vm = vms.get(id)
      if (!vm || vm.state.reboots >= count) return
      vm.state = { ...vm.state, reboots: count }
      vm.enter('rebooting', now())
      vm.print('\r\nRebooting\r\n')
      await write(vm)
      vm.resetConsole()
      // What is said from now on must not be taken for what is cleared.
      vm.writing = world.clearConsole(id).finally(() => (vm.writing = undefined))
      await vm.writing
      await save(id, vm)
      await advance(id, vm)
      keepTicking()
    },
    async destroy(id) {
      fault('destroy', id)
      const vm = vms.get(id)
      if (vm) await write(vm)
      vm?.disconnect('the instance is not running any more')
      vms.delete(id)
      await world.removeVm(id)
    },
    async observe(id) {
      const vm = vms.get(id)
      if (!vm) return { phase: 'absent', reboots: 0 }
      await advance(id, vm)
      const { phase, reboots } = vm.state
      return vm.transitional
        ? { phase, reboots, changesAt: new Date(vm.endsAt(options)) }
        : { phase, reboots }
    },
    async listVms() {
      return [...vms.keys()]
    },
    async crash(id) {
      const vm = vms.get(id)
      if (!vm) return
      vm.enter('failed', now())
      await write(vm)
      vm.disconnect('the instance is not running any more')
      await save(id, vm)
      changed(id)
    },

    injectFaults(injected) {
      faults = injected
    },

    ...volumes,

    async readConsole(id, from, maxBytes) {
      return (vms.get(id)?.console ?? new ConsoleBuffer()).read(from, maxBytes)
    },
    async consoleLength(id) {
      return vms.get(id)?.console.length ?? 0
    },
    openConsole(id, start, viewer) {
      const vm = vms.get(id)
      if (!vm) viewer.close(1011, 'the instance is not running any more')
      const watching = vm?.watch(start, viewer)
      return {
        type: (keys) => vm?.type(keys),
        drained: () => watching?.drained(),
        leave: () => watching?.leave(),
      }
    },
  }
}
