import type { CertificateCreate } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { useApiMutation } from '../../data/api.ts'
import { useCurrentUser } from '../../data/session.ts'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import {
  CertificateFields,
  type CertificateValues,
  noCertificate,
  readCertificate,
} from './certificate-fields.tsx'

const contents = (file: File | null, what: string) => `contents of ${file?.name ?? what}`

/** The request as shown in code: with file names, so that the key stays hidden. */
const described = ({ name, description, cert, key }: CertificateValues): CertificateCreate => ({
  name,
  description,
  service: 'external_api',
  cert: contents(cert, 'the certificate'),
  key: contents(key, 'the key'),
})

export function CertificateCreatePage() {
  const navigate = useNavigate()
  const { siloName } = useCurrentUser()
  const form = useForm({ defaultValues: noCertificate })
  const toList = () => void navigate({ to: '/certificates' })
  const create = useApiMutation('certificateCreate', {
    onSuccess: ({ name }) => {
      addToast({
        content: (
          <>
            Certificate <Strong>{name}</Strong> added
          </>
        ),
      })
      toList()
    },
  })
  return (
    <SideModalForm
      calls="certificateCreate"
      form={form}
      formType="create"
      resource="certificate"
      title="Add TLS certificate"
      submitLabel="Add certificate"
      onSubmit={(values) =>
        void readCertificate(values, form).then((body) => body && create.mutate({ body }))
      }
      loading={create.isPending}
      submitError={create.error}
      code={(values) => asCode(call('certificateCreate', { body: described(values) }))}
      onDismiss={toList}
    >
      <CertificateFields form={form} silo={siloName} />
    </SideModalForm>
  )
}
