/** Uplinks by FRR and lldpd. See README.md. */
export { applyTo } from './apply.ts'
export { desiredHost } from './config/desired.ts'
export { readUplinkHosts, type UplinkHost, UplinksFileError } from './hosts.ts'
export { uplinkFaults } from './faults.ts'
export { createUplinks, frrUplinks } from './part.ts'
