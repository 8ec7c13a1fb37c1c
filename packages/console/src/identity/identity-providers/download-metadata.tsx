import { Download } from 'lucide-react'
import { useState } from 'react'
import { download } from '../../page/download.ts'
import { Button } from '../../ui/button.tsx'

type Props = { provider: { id: string; name: string } }

/** Saves the silo's metadata for the identity provider. */
export function DownloadMetadata({ provider: { id, name } }: Props) {
  const [loading, setLoading] = useState(false)
  const save = async () => {
    setLoading(true)
    const path = `/x/v1/identity-providers/saml/${id}/metadata`
    await download(path, `${name}-metadata.xml`, 'Could not download the metadata')
    setLoading(false)
  }
  return (
    <div>
      <Button
        icon={<Download size={16} strokeWidth={1.5} aria-hidden />}
        loading={loading}
        onClick={() => void save()}
      >
        Download metadata
      </Button>
      <p className="mt-1.5 text-xs text-secondary">Service provider metadata of this silo</p>
    </div>
  )
}
