/**
 * The functions of libvirt's C library, loaded on first use, so that a host without libvirt never
 * loads it. Calls that wait for the daemon run on worker threads.
 */
import type { LibraryHandle, TypeObject } from 'koffi'
import { NotInstalled } from './errors.ts'
import { type Koffi, loadKoffi } from './koffi.ts'

/** An address in memory; null where C has NULL. */
export type Pointer = bigint | null

/** Functions that only read memory, or hand something to the event loop: they never wait. */
const local = [
  'int virEventRegisterDefaultImpl(void)',
  'int virEventAddTimeout(int ms, TimeoutCallback *callback, void *opaque, void *freed)',
  'void virEventUpdateTimeout(int timer, int ms)',
  'void virSetErrorFunc(void *opaque, void *handler)',
  'void *virConnGetLastError(void *connection)',
  'int virDomainGetUUIDString(void *domain, _Out_ char *uuid)',
  'int virDomainFree(void *domain)',
  'int virDomainSnapshotFree(void *snapshot)',
  'int virStoragePoolFree(void *pool)',
  'int virStorageVolFree(void *volume)',
  'void virDomainStatsRecordListFree(void *records)',
  'void virTypedParamsFree(void *parameters, int count)',
  'int virStreamFree(void *stream)',
] as const

/** Functions that wait: most of them for the daemon, which waits for QEMU. */
const remote = [
  'int virEventRunDefaultImpl(void)',
  'void *virConnectOpen(const char *uri)',
  'int virConnectClose(void *connection)',
  'int virConnectIsAlive(void *connection)',
  'int virConnectSetKeepAlive(void *connection, int interval, unsigned int count)',
  'int virConnectGetLibVersion(void *connection, _Out_ unsigned long *version)',
  'int virConnectGetVersion(void *connection, _Out_ unsigned long *version)',
  'OwnedText virConnectGetCapabilities(void *connection)',
  'OwnedText virConnectGetDomainCapabilities(void *connection, const char *emulator, const char *arch, const char *machine, const char *type, unsigned int flags)',
  'int virConnectGetAllDomainStats(void *connection, unsigned int kinds, _Out_ void **records, unsigned int flags)',
  'int virConnectDomainEventRegisterAny(void *connection, void *domain, int event, void *callback, void *opaque, void *freed)',
  'int virConnectDomainEventDeregisterAny(void *connection, int callback)',
  'int virConnectRegisterCloseCallback(void *connection, void *callback, void *opaque, void *freed)',
  'int virConnectUnregisterCloseCallback(void *connection, void *callback)',
  'void *virDomainLookupByUUIDString(void *connection, const char *uuid)',
  'void *virDomainDefineXMLFlags(void *connection, const char *xml, unsigned int flags)',
  'void *virDomainCreateXML(void *connection, const char *xml, unsigned int flags)',
  'int virDomainCreateWithFlags(void *domain, unsigned int flags)',
  'int virDomainShutdownFlags(void *domain, unsigned int flags)',
  'int virDomainDestroyFlags(void *domain, unsigned int flags)',
  'int virDomainReboot(void *domain, unsigned int flags)',
  'int virDomainReset(void *domain, unsigned int flags)',
  'int virDomainSuspend(void *domain)',
  'int virDomainResume(void *domain)',
  'int virDomainUndefineFlags(void *domain, unsigned int flags)',
  'int virDomainGetState(void *domain, _Out_ int *state, _Out_ int *reason, unsigned int flags)',
  'int virDomainGetDiskErrors(void *domain, void *errors, unsigned int count, unsigned int flags)',
  'int virDomainAgentSetResponseTimeout(void *domain, int seconds, unsigned int flags)',
  'int virDomainFSFreeze(void *domain, void *mountpoints, unsigned int count, unsigned int flags)',
  'int virDomainFSThaw(void *domain, void *mountpoints, unsigned int count, unsigned int flags)',
  'int virDomainBlockResize(void *domain, const char *disk, unsigned long long size, unsigned int flags)',
  'int virDomainBlockCopy(void *domain, const char *disk, const char *target, void *parameters, int count, unsigned int flags)',
  'int virDomainGetBlockJobInfo(void *domain, const char *disk, void *info, unsigned int flags)',
  'int virDomainBlockJobAbort(void *domain, const char *disk, unsigned int flags)',
  'void *virDomainSnapshotCreateXML(void *domain, const char *xml, unsigned int flags)',
  'OwnedText virDomainGetXMLDesc(void *domain, unsigned int flags)',
  'void *virStreamNew(void *connection, unsigned int flags)',
  'OwnedText virDomainScreenshot(void *domain, void *stream, unsigned int screen, unsigned int flags)',
  'int virStreamRecv(void *stream, void *data, size_t length)',
  'int virStreamFinish(void *stream)',
  'int virStreamAbort(void *stream)',
  'OwnedText virDomainGetMetadata(void *domain, int type, const char *uri, unsigned int flags)',
  'OwnedText virConnectGetHostname(void *connection)',
  'int virNodeGetInfo(void *connection, void *info)',
  'int virNodeGetCPUStats(void *connection, int cpu, void *times, _Inout_ int *count, unsigned int flags)',
  'void *virStoragePoolCreateXML(void *connection, const char *xml, unsigned int flags)',
  'void *virStoragePoolDefineXML(void *connection, const char *xml, unsigned int flags)',
  'void *virStoragePoolLookupByUUIDString(void *connection, const char *uuid)',
  'int virStoragePoolIsActive(void *pool)',
  'int virStoragePoolBuild(void *pool, unsigned int flags)',
  'int virStoragePoolSetAutostart(void *pool, int autostart)',
  'int virStoragePoolCreate(void *pool, unsigned int flags)',
  'int virStoragePoolDestroy(void *pool)',
  'int virStoragePoolUndefine(void *pool)',
  'void *virStorageVolLookupByName(void *pool, const char *name)',
  'void *virStorageVolCreateXML(void *pool, const char *xml, unsigned int flags)',
  'OwnedText virStorageVolGetXMLDesc(void *volume, unsigned int flags)',
  'int virStorageVolDelete(void *volume, unsigned int flags)',
  'void *virDomainMigrate3(void *domain, void *connection, void *parameters, unsigned int count, unsigned int flags)',
  'int virDomainGetJobStats(void *domain, _Out_ int *type, _Out_ void **parameters, _Out_ int *count, unsigned int flags)',
  'int virDomainAbortJob(void *domain)',
] as const

/** Functions of `libvirt-qemu.so.0`. */
const qemu = [
  'int virDomainQemuMonitorCommand(void *domain, const char *command, _Out_ void **result, unsigned int flags)',
] as const

type NameOf<T extends string> = T extends `${string}vir${infer Rest}`
  ? `vir${Rest extends `${infer Name}(${string}` ? Name : never}`
  : never
export type LocalName = NameOf<(typeof local)[number]>
export type RemoteName = NameOf<(typeof remote)[number] | (typeof qemu)[number]>

type Argument = string | number | bigint | null | unknown[] | Uint8Array

export interface Library {
  koffi: Koffi
  /** Calls a function at once. */
  local: <T>(name: LocalName, ...args: Argument[]) => T
  /** Calls a function on a worker thread. */
  remote: <T>(name: RemoteName, ...args: Argument[]) => Promise<T>
  types: Record<
    'error' | 'lifecycle' | 'generic' | 'closed' | 'timeout' | 'parameter' | 'record',
    TypeObject
  >
  /** The address of a function that ignores its arguments. */
  ignore: bigint
}

const nameIn = (prototype: string): string => /vir\w+(?=\()/.exec(prototype)![0]

async function load(): Promise<Library> {
  const koffi = await loadKoffi()
  let libvirt: LibraryHandle
  let libvirtQemu: LibraryHandle
  try {
    libvirt = koffi.load('libvirt.so.0')
    libvirtQemu = koffi.load('libvirt-qemu.so.0')
  } catch (cause) {
    throw new NotInstalled('libvirt is not installed: its library libvirt.so.0 is missing', {
      cause,
    })
  }
  koffi.disposable('OwnedText', 'str', koffi.free)
  const types = {
    lifecycle: koffi.proto('int LifecycleCallback(void *, void *, int, int, void *)'),
    generic: koffi.proto('void GenericCallback(void *, void *, void *)'),
    closed: koffi.proto('void CloseCallback(void *, int, void *)'),
    timeout: koffi.proto('void TimeoutCallback(int, void *)'),
    error: koffi.struct('virError', {
      code: 'int',
      domain: 'int',
      message: 'str',
      level: 'int',
    }),
    parameter: koffi.struct('virTypedParameter', {
      field: koffi.array('char', 80, 'String'),
      type: 'int',
      value: koffi.union('virTypedValue', {
        int: 'int32_t',
        uint: 'uint32_t',
        long: 'int64_t',
        ulong: 'uint64_t',
        double: 'double',
        boolean: 'char',
        text: 'void *',
      }),
    }),
    record: koffi.struct('virDomainStatsRecord', {
      domain: 'void *',
      parameters: 'void *',
      count: 'int',
    }),
  }
  const bind = (library: LibraryHandle, prototypes: readonly string[]) =>
    prototypes.map((prototype) => [nameIn(prototype), library.func(prototype)] as const)
  const functions = new Map([
    ...bind(libvirt, local),
    ...bind(libvirt, remote),
    ...bind(libvirtQemu, qemu),
  ])
  return {
    koffi,
    types,
    // With NULL as its first argument it does nothing.
    ignore: libvirt.symbol('virResetError') as bigint,
    local: (name, ...args) => functions.get(name)!(...args),
    remote: (name, ...args) =>
      new Promise((resolve, reject) => {
        functions
          .get(name)!
          .async(...args, (error: unknown, result: never) =>
            error ? reject(error as Error) : resolve(result),
          )
      }),
  }
}

let loaded: Promise<Library> | undefined

/**
 * Loads libvirt's library, once in each process.
 * @throws NotInstalled
 */
export const libvirtLibrary = (): Promise<Library> =>
  (loaded ??= load().catch((error: unknown) => {
    // It may be installed while the server runs.
    loaded = undefined
    throw error
  }))
