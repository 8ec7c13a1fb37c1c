/** SSH to an instance, for the head of its page and the tab "Connect". */
import type { Instance } from '@steading/api/client'
import { loginUserOf, simulatedSilence } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useCapability, useEngine } from '../../../data/capabilities.ts'
import { useLivePolling } from '../../../data/live.ts'
import { catalogQuery } from '../../../storage/image-catalog/queries.ts'
import { useSourceImage } from '../../../storage/disks/disk-source.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { TextLink } from '../../../ui/link.tsx'
import { instanceDisksQuery, instanceNetworkQuery, type InstanceParams } from '../queries.ts'

export const Command = ({ text }: { text: string }) => (
  <div className="flex min-w-0 items-center gap-1 self-start rounded-control border bg-sunken py-1 pe-1 ps-3">
    <code className="min-w-0 font-mono text-xs wrap-anywhere">{text}</code>
    <CopyButton text={text} />
  </div>
)

export const NoAddress = (params: InstanceParams) => (
  <p className="text-secondary">
    This instance has no external IP address. You can add one on the{' '}
    <TextLink to="/projects/$project/instances/$instance/networking" params={params}>
      networking
    </TextLink>{' '}
    tab.
  </p>
)

/** Says that no command reaches a simulated machine; nothing for real ones. */
export function SimulatedNote() {
  return useEngine()?.isSimulated && <p className="text-secondary">{simulatedSilence}</p>
}

/**
 * The user to sign in as, by the image that the boot disk was made from; undefined while that is
 * unknown.
 */
export function useLoginUser(params: InstanceParams, { bootDiskId }: Instance): string | undefined {
  const known = useCapability('imageDownloads')
  const disks = useQuery({ ...instanceDisksQuery(params), enabled: known }).data?.items ?? []
  // An instance boots from its only disk.
  const boot = disks.find(({ id }) => id === bootDiskId) ?? (disks.length === 1 ? disks[0] : null)
  const image = useSourceImage(boot?.imageId).data
  const catalog = useQuery({ ...catalogQuery, enabled: image !== undefined }).data
  return image && catalog && loginUserOf(image, catalog.images)
}

/** The network of the instance as its engine has applied it; only with the extension. */
export function useInstanceNetwork(params: InstanceParams) {
  const supported = useCapability('instanceNetwork')
  const read = useQuery({
    ...instanceNetworkQuery(params),
    enabled: supported,
    refetchInterval: useLivePolling(10_000),
  })
  return { supported, read }
}
