import { bootMessages, type BootSourceType } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useEngine } from '../../data/capabilities.ts'
import { Banner } from '../../ui/banner.tsx'

type Props = { type: BootSourceType; id: string | undefined }

/** Says that real machines would find no system on the chosen source of a boot disk. */
export function BootNotice({ type, id }: Props) {
  const isReal = useEngine()?.isSimulated === false
  const { data } = useQuery({
    ...apiQuery('bootSourceView', { query: { type, id: id! } }, { allow404: true }),
    enabled: isReal && Boolean(id),
  })
  if (!id || data?.boots !== false) return null
  return <Banner variant="notice">{bootMessages.noLoader(type)}</Banner>
}
