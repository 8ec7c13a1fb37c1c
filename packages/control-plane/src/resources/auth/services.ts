import type { CallerCache } from './authenticate.ts'
import type { LoginThrottle } from './throttle.ts'

declare module '../../kernel/services.ts' {
  interface ControlPlaneServices {
    throttle: LoginThrottle
    callers: CallerCache
  }
}
