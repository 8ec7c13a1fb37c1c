/** A port of this host that leads to an external address of a machine. */
export interface ForwardedPort {
  protocol: 'tcp' | 'udp'
  /** On the address of the option `forwardAddress`. */
  hostPort: number
  /** The external IPv4 address. */
  external: string
  port: number
}

/**
 * Forwards ports of the host to machines in a network of VPCs, whose external addresses nobody reaches
 * from the host itself.
 */
export interface Forwarder {
  /** Forwards these ports, and no others. */
  forward: (ports: readonly ForwardedPort[]) => Promise<void>
}
