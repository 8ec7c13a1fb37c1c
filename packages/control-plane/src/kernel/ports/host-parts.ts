import type { Diagnostics } from './diagnostics.ts'
import type { ImageSources } from './image-sources.ts'
import type { Mail } from './mail.ts'
import type { Native } from './native.ts'
import type { Oidc } from './oidc.ts'
import type { DataDisk } from './reserve.ts'
import type { Saml } from './saml.ts'
import type { Webhooks } from './webhooks.ts'

/** Services that a control plane gets from its host. A server has most of them, a browser few. */
export interface HostParts {
  /** Without it, portable code does the same more slowly. */
  native?: Native | undefined
  /** Without it, silos have no identity providers. */
  saml?: Saml | undefined
  /** Without it, silos have no OpenID Connect providers. */
  oidc?: Oidc | undefined
  /** Without it, there are no receivers of alerts. */
  webhooks?: Webhooks | undefined
  /** Without it, notifications are not sent by mail. */
  mail?: Mail | undefined
  /** Without it, usage of the data disk is not reported. */
  dataDisk?: DataDisk | undefined
  /** Without it, images are uploaded only. */
  imageSources?: ImageSources | undefined
  /** Without it, support bundles say nothing about the host. */
  diagnostics?: Diagnostics | undefined
}
