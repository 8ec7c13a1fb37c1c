import type { SessionCache } from './sessions.ts'
import type { LoginThrottle } from './throttle.ts'

declare module '../../kernel/services.ts' {
  interface ControlPlaneServices {
    throttle: LoginThrottle
    sessions: SessionCache
  }
}
