import { boolean, dateTime, list, named, oneOf, record, uint16, uint32 } from '../../schema.ts'
import { ip } from '../../network.ts'
import { networkNeeds } from './rules.ts'

export const NetworkNeed = named('NetworkNeed', oneOf(...networkNeeds))

const InstanceEndpoint = record('InstanceEndpoint', {
  /** The ephemeral or floating IP. */
  external_ip: ip,
  protocol: named('InstanceEndpointProtocol', oneOf('tcp', 'udp')),
  /** The port at the external IP and in the guest. */
  port: uint16,
  /** Where the host of the machine takes such traffic. */
  host_ip: ip,
  host_port: uint16,
})

export const InstanceNetwork = record('InstanceNetwork', {
  /** Rises with each change that the engine has carried out; null if it has carried out none. */
  version: uint32.nullable(),
  time_applied: dateTime.nullable(),
  /** The engine has not carried out the present rules and addresses. */
  behind: boolean,
  /** Ways from the host of the machine to the instance; empty if none is needed. */
  endpoints: list(InstanceEndpoint),
  /** External IPs lead to the instance by themselves, without a port of its host. */
  direct: boolean,
  /** Things that the rules of the instance need, and the engine lacks. */
  not_enforced: list(NetworkNeed),
  /** The traffic of its interfaces is measured. */
  measured: boolean,
})
