import { bootMessages, type BootSourceType } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useCapability, useEngine } from '../../data/capabilities.ts'
import { Banner } from '../../ui/banner.tsx'

type Props = {
  type: BootSourceType
  id: string | undefined
  /** The project that would use an image. */
  project?: string
}

/** Says that real machines would find no system on the chosen source of a boot disk. */
export function BootNotice({ type, id, project: user }: Props) {
  const isReal = useEngine()?.isSimulated === false
  // A control plane of an earlier version does not know the parameter.
  const project = useCapability('projectOffers') ? user : undefined
  const { data } = useQuery({
    ...apiQuery('bootSourceView', { query: { type, id: id!, project } }, { allow404: true }),
    enabled: isReal && Boolean(id),
  })
  if (!id || data?.boots !== false) return null
  return <Banner variant="notice">{bootMessages.noLoader(type)}</Banner>
}
