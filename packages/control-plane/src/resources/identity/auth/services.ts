import type { CallerCache } from './authenticate.ts'
import type { PasswordQueue } from './password-queue.ts'
import type { LoginThrottle } from './throttle.ts'

declare module '../../../kernel/services.ts' {
  interface ControlPlaneServices {
    passwords: PasswordQueue
    throttle: LoginThrottle
    callers: CallerCache
  }
}
