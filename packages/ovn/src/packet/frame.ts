/** Packets as bytes, with a token by which their arrival is told from all other traffic. */
import { parseAddress } from '@steading/api/rules'
import type { RealPacket } from '@steading/control-plane/ports'

export interface FramePlace {
  /** MAC addresses. */
  from: string
  to: string
}

/**
 * The number that tells a packet from others: the sequence number of a SYN, and the first bytes of data of all others.
 * Translation of addresses changes neither.
 */
export interface Identity {
  token: number
  /** Source port; the identifier of an echo request. */
  port: number
}

const numbers = { icmp: 1, tcp: 6, udp: 17, icmp6: 58 } as const
const ECHO_REQUEST = { icmp: 8, icmp6: 128 } as const
const SYN = 0x02
const HOPS = 64

/** The Internet checksum (RFC 1071) of an even number of bytes. */
function checksum(...parts: readonly Buffer[]): number {
  let sum = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 2) sum += part.readUInt16BE(at)
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

const macBytes = (mac: string): Buffer => Buffer.from(mac.replaceAll(':', ''), 'hex')

function addressBytes(text: string): Buffer {
  const { version, value } = parseAddress(text)!
  return Buffer.from(value.toString(16).padStart(version === 'v4' ? 8 : 32, '0'), 'hex')
}

/** The segment without its checksum, and the place where that goes. */
function segmentOf({ protocol, port }: RealPacket, identity: Identity): [Buffer, number] {
  if (protocol === 'tcp') {
    const segment = Buffer.alloc(20)
    segment.writeUInt16BE(identity.port, 0)
    segment.writeUInt16BE(port!, 2)
    segment.writeUInt32BE(identity.token, 4)
    segment[12] = 5 << 4
    segment[13] = SYN
    segment.writeUInt16BE(0xffff, 14)
    return [segment, 16]
  }
  const segment = Buffer.alloc(16)
  segment.writeUInt32BE(identity.token, 8)
  if (protocol === 'udp') {
    segment.writeUInt16BE(identity.port, 0)
    segment.writeUInt16BE(port!, 2)
    segment.writeUInt16BE(segment.length, 4)
    return [segment, 6]
  }
  segment[0] = ECHO_REQUEST[protocol]
  segment.writeUInt16BE(identity.port, 4)
  segment.writeUInt16BE(1, 6)
  return [segment, 2]
}

/** The packet in an Ethernet frame. */
export function frameOf(packet: RealPacket, place: FramePlace, identity: Identity): Buffer {
  const { protocol } = packet
  const [source, destination] = [addressBytes(packet.source), addressBytes(packet.destination)]
  const isV4 = source.length === 4
  const [segment, checksumAt] = segmentOf(packet, identity)
  const pseudo = Buffer.alloc(8)
  pseudo.writeUInt32BE(segment.length, 0)
  pseudo.writeUInt32BE(numbers[protocol], 4)
  const covered = protocol === 'icmp' ? [segment] : [source, destination, pseudo, segment]
  // A UDP checksum of 0 means none.
  segment.writeUInt16BE(checksum(...covered) || 0xffff, checksumAt)

  const header = Buffer.alloc(isV4 ? 12 : 8)
  if (isV4) {
    header[0] = 0x45
    header.writeUInt16BE(20 + segment.length, 2)
    header[8] = HOPS
    header[9] = numbers[protocol]
    header.writeUInt16BE(checksum(header, source, destination), 10)
  } else {
    header[0] = 0x60
    header.writeUInt16BE(segment.length, 4)
    header[6] = numbers[protocol]
    header[7] = HOPS
  }
  const type = Buffer.from(isV4 ? '0800' : '86dd', 'hex')
  const ethernet = [macBytes(place.to), macBytes(place.from), type]
  return Buffer.concat([...ethernet, header, source, destination, segment])
}
