/** Real machines by libvirt and QEMU, as an engine of the control plane. */
export { machinesUnavailable } from './availability.ts'
export { libvirtEngine, type LibvirtEngineOptions, type LibvirtEngines } from './engine.ts'
export { createGuardedCalls } from './file-systems/guarded-calls.ts'
export type { ForwardedPort, Forwarder } from './networks/forwarder.ts'
export { defaultUri, type NetworkHosts } from './options.ts'
export { socketsProblem } from './sockets.ts'
export { requireLocks } from './volumes/place.ts'
export { createQcow2Volumes, type Qcow2Volumes } from './volumes/volumes.ts'
