import type { CertificateCreate } from '@steading/api/client'
import { useForm } from 'react-hook-form'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { CertificateFields, noCertificate, readCertificate } from './certificate-fields.tsx'

type Props = {
  /** Name of the silo, as entered so far. */
  silo: string
  takenNames: string[]
  onAdd: (certificate: CertificateCreate) => void
  onDismiss: () => void
}

/** Adds a certificate to the form of a new silo. */
export function AddCertificateModal({ silo, takenNames, onAdd, onDismiss }: Props) {
  const form = useForm({ defaultValues: noCertificate })
  return (
    <ModalForm
      form={form}
      title="Add TLS certificate"
      submitLabel="Add Certificate"
      onSubmit={(values) =>
        void readCertificate(values, form).then((certificate) => certificate && onAdd(certificate))
      }
      onDismiss={onDismiss}
      loading={false}
      submitError={null}
      sends={false}
    >
      <CertificateFields form={form} silo={silo} takenNames={takenNames} />
    </ModalForm>
  )
}
