import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { addToast } from '../../ui/toasts.tsx'

type Props = { provider: { id: string; name: string } }

/** Saves the silo's metadata for the identity provider. */
export function DownloadMetadata({ provider: { id, name } }: Props) {
  const [loading, setLoading] = useState(false)
  const download = async () => {
    setLoading(true)
    try {
      const response = await fetch(`/x/v1/identity-providers/saml/${id}/metadata`)
      if (!response.ok) throw new Error(`the server answered ${response.status}`)
      const type = response.headers.get('content-type') ?? 'application/xml'
      saveFile(`${name}-metadata.xml`, [await response.arrayBuffer()], type)
    } catch {
      addToast({ variant: 'error', content: 'Could not download the metadata' })
    } finally {
      setLoading(false)
    }
  }
  return (
    <div>
      <Button
        icon={<Download size={16} strokeWidth={1.5} aria-hidden />}
        loading={loading}
        onClick={() => void download()}
      >
        Download metadata
      </Button>
      <p className="mt-1.5 text-xs text-secondary">Service provider metadata of this silo</p>
    </div>
  )
}
