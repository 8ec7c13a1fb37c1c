/** A host for OVN and libvirt without root. */
export { chooseForwards, type PortRange } from './forwards.ts'
export { rootlessPaths } from './host-paths.ts'
export { type RootlessProblem, rootlessProblems } from './problems.ts'
export {
  CHASSIS,
  DNS_ADDRESS,
  openRootless,
  OUTSIDE_DEVICE,
  OUTSIDE_NETWORK,
  PASTA_DEVICE,
  type Rootless,
  type RootlessHealth,
  type RootlessOptions,
} from './rootless.ts'
export { type DaemonHealth, type DaemonName, daemonNames, rootlessDaemons } from './status.ts'
