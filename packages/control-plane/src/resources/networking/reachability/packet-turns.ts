import { packetProblems, REAL_PACKET_LIMITS } from '@steading/api/rules'
import { waitRefusal } from '../../identity/auth/throttle.ts'

const { atOnce, ofServer, perMinute } = REAL_PACKET_LIMITS
const MINUTE_MS = 60_000

/** Limits how many real packets this server sends, and each user by it. */
export interface PacketTurns {
  /**
   * @returns a function to call when the packet is done
   * @throws ApiError 429 after too many
   */
  begin: (userId: string) => () => void
}

declare module '../../../kernel/services.ts' {
  interface ControlPlaneServices {
    packetTurns: PacketTurns
  }
}

/** @param now milliseconds of a clock that never goes back */
export function createPacketTurns(now: () => number = () => performance.now()): PacketTurns {
  let running = 0
  const users = new Map<string, { begun: number[]; running: number }>()
  const forget = () => {
    for (const [id, user] of users) {
      user.begun = user.begun.filter((at) => now() - at < MINUTE_MS)
      if (user.begun.length === 0 && user.running === 0) users.delete(id)
    }
  }
  return {
    begin(userId) {
      forget()
      const user = users.get(userId) ?? { begun: [], running: 0 }
      if (user.begun.length >= perMinute) {
        throw waitRefusal(user.begun[0]! + MINUTE_MS - now(), packetProblems.tooMany)
      }
      if (user.running >= atOnce || running >= ofServer) {
        throw waitRefusal(1000, packetProblems.tooMany)
      }
      users.set(userId, user)
      user.begun.push(now())
      user.running++
      running++
      return () => {
        user.running--
        running--
      }
    },
  }
}
