/** Whether guests run on the processor itself, or are emulated. */
import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROBE_PREFIX } from './domain-names.ts'
import type { FileCalls } from './file-systems/file-calls.ts'
import { LibvirtError } from './native/errors.ts'
import { ARCHITECTURE, type Libvirt, MACHINE } from './native/libvirt.ts'
import { element, type Xml } from './xml.ts'

/** Type of a domain: `qemu` is emulated. */
export type Accelerator = 'kvm' | 'qemu'

/** Files that QEMU of a host may read. */
interface TrialFiles {
  /** Their directory. */
  shared: string
  calls: Pick<FileCalls, 'readAll' | 'writeAll' | 'remove'>
}

/** A guest that does not power off in this time does not run. Milliseconds. */
const PATIENCE_MS = 10_000

const SECTOR = 512
/** The firmware takes no smaller disk. Bytes. */
const DISK_BYTES = 1024 * 1024
/** Where the firmware loads the boot sector. */
const LOADED_AT = 0x7c00
const word = (value: number): number[] => [value & 0xff, value >> 8]
/** Places in the boot sector: the descriptors of segments, and their address and length. */
const [PROTECTED, RETURNED, DESCRIPTORS, DESCRIPTORS_AT] = [23, 44, 64, 88]
/**
 * A program of the boot sector, which powers the machine off in protected mode, after a return from an
 * interrupt there. Boot loaders do that, and some KVM of nested hosts runs nothing of it, but all of
 * real mode.
 */
const powerOff = [
  [0xfa], // cli
  [0x31, 0xc0], // xor ax, ax
  [0x8e, 0xd8], // mov ds, ax
  [0x0f, 0x01, 0x16, ...word(LOADED_AT + DESCRIPTORS_AT)], // lgdt
  [0x0f, 0x20, 0xc0], // mov eax, cr0
  [0x0c, 0x01], // or al, 1
  [0x0f, 0x22, 0xc0], // mov cr0, eax
  [0xea, ...word(LOADED_AT + PROTECTED), 0x08, 0x00], // jmp 8:protected
  [0x66, 0xb8, 0x10, 0x00], // protected: mov ax, 16
  [0x8e, 0xd8], // mov ds, ax
  [0x8e, 0xd0], // mov ss, ax
  [0xbc, ...word(LOADED_AT), 0x00, 0x00], // mov esp, 0x7c00
  [0x9c], // pushfd
  [0x0e], // push cs
  [0x68, ...word(LOADED_AT + RETURNED), 0x00, 0x00], // push returned
  [0xcf], // iretd
  [0x66, 0xba, 0x04, 0x06], // returned: mov dx, 0x604, the port of the power management of a Q35
  [0x66, 0xb8, 0x00, 0x20], // mov ax, 0x2000: enter S5
  [0x66, 0xef], // out dx, ax
  [0xf4], // hlt
  [0xeb, 0xfd], // jmp to the hlt
].flat()
/** No segment, all memory as code, all memory as data. */
const descriptors = [
  [0, 0, 0, 0, 0, 0, 0, 0],
  [0xff, 0xff, 0, 0, 0, 0x9a, 0xcf, 0],
  [0xff, 0xff, 0, 0, 0, 0x92, 0xcf, 0],
].flat()

/** A disk whose boot sector powers the machine off. */
export function poweringOffDisk(): Uint8Array {
  const disk = new Uint8Array(DISK_BYTES)
  disk.set(powerOff)
  disk.set(descriptors, DESCRIPTORS)
  disk.set(
    [...word(descriptors.length - 1), ...word(LOADED_AT + DESCRIPTORS), 0, 0],
    DESCRIPTORS_AT,
  )
  disk.set([0x55, 0xaa], SECTOR - 2)
  return disk
}

/** The processor of guests. */
export const cpuXml = (accelerator: Accelerator): Xml =>
  element('cpu', {
    mode: accelerator === 'kvm' ? 'host-passthrough' : 'maximum',
    check: 'none',
  })

/**
 * The description of a tiny guest, with the processor of all guests: KVM may run one kind of it only.
 * @param image path of its disk
 */
export const probeXml = (uuid: string, accelerator: Accelerator, image: string): string =>
  element(
    'domain',
    { type: accelerator },
    element('name', {}, `${PROBE_PREFIX}${uuid}`),
    element('uuid', {}, uuid),
    element('memory', { unit: 'MiB' }, 32),
    element('vcpu', {}, 1),
    element('os', {}, element('type', { arch: ARCHITECTURE, machine: MACHINE }, 'hvm')),
    element('features', {}, element('acpi'), element('apic')),
    cpuXml(accelerator),
    element(
      'devices',
      {},
      element(
        'disk',
        { type: 'file', device: 'disk' },
        element('driver', { name: 'qemu', type: 'raw' }),
        element('source', { file: image }),
        element('target', { dev: 'vda', bus: 'virtio' }),
        element('readonly'),
      ),
    ),
  ).xml

/**
 * Runs a tiny guest, to see whether guests run.
 * @param directory where QEMU may read a file
 * @returns why it has not powered itself off; undefined if it has
 */
export async function tryGuest(
  libvirt: Libvirt,
  accelerator: Accelerator,
  { shared, calls }: TrialFiles,
): Promise<string | undefined> {
  const uuid = crypto.randomUUID()
  const image = join(shared, `probe-${uuid}`)
  await calls.writeAll(image, poweringOffDisk(), 0o644)
  const stopped = Promise.withResolvers<string | undefined>()
  let isCreated = false
  /** QEMU pauses a guest that its KVM cannot run. */
  const look = async (): Promise<void> => {
    if ((await libvirt.status(uuid))?.state === 'paused') stopped.resolve('QEMU has paused it')
  }
  const unsubscribe = libvirt.subscribe((event) => {
    if (event.kind === 'disconnected' || event.uuid !== uuid) return
    if (event.stopped) stopped.resolve(event.stopped)
    else if (isCreated) look().catch(stopped.reject)
  })
  const timer = setTimeout(stopped.resolve, PATIENCE_MS)
  try {
    // libvirt ends it if this server is killed meanwhile.
    await libvirt.createTransient(uuid, probeXml(uuid, accelerator, image))
    isCreated = true
    await look()
    const end = await stopped.promise
    return end === 'shutdown' ? undefined : `it did not power off (${end ?? 'it runs on'})`
  } catch (error) {
    // Such as: no KVM in this QEMU, no permission for its device, or no support by the processor.
    if (error instanceof LibvirtError) return error.message
    throw error
  } finally {
    clearTimeout(timer)
    unsubscribe()
    await libvirt.destroy(uuid)
    await calls.remove(image)
  }
}

/** Whether a tiny guest runs. */
export const runsGuests = async (...args: Parameters<typeof tryGuest>): Promise<boolean> =>
  (await tryGuest(...args)) === undefined

/**
 * The accelerator of this host. The device file of KVM may exist although guests do not run, so a
 * guest is run once in each boot of the host.
 * @param files of machines there, where the answer is kept
 */
export async function findAccelerator(libvirt: Libvirt, files: TrialFiles): Promise<Accelerator> {
  // Earlier versions have tried less under another name.
  const path = join(files.shared, 'accelerator-that-runs')
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  const known = await files.calls.readAll(path).catch(() => undefined)
  const [knownBoot, accelerator, uri] = new TextDecoder().decode(known).trim().split(' ')
  // Another libvirt of the same user may have other rights.
  const isKnown = knownBoot === boot && uri === libvirt.uri
  if (isKnown && (accelerator === 'kvm' || accelerator === 'qemu')) return accelerator
  const found = (await runsGuests(libvirt, 'kvm', files)) ? 'kvm' : 'qemu'
  const answer = new TextEncoder().encode(`${boot} ${found} ${libvirt.uri}\n`)
  await files.calls.writeAll(path, answer, 0o600)
  return found
}

/**
 * Why guests are emulated, as a sentence without a full stop.
 * @param own whether QEMU runs as the user of this process
 */
export async function translationReason(own: boolean): Promise<string> {
  const device = '/dev/kvm'
  const able = (mode: number) =>
    access(device, mode).then(
      () => true,
      () => false,
    )
  if (!(await able(constants.F_OK))) {
    return 'There is no /dev/kvm: the processor has no virtualization, or the firmware has it off'
  }
  if (own && !(await able(constants.R_OK | constants.W_OK))) {
    return 'The user may not open /dev/kvm: add them to the group kvm'
  }
  return 'A guest did not run with KVM, although /dev/kvm is there'
}
