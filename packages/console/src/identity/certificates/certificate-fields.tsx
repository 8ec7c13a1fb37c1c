import type { CertificateCreate } from '@steading/api/client'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { SoftChecks } from './soft-checks.tsx'

export interface CertificateValues {
  name: string
  description: string
  cert: File | null
  key: File | null
}

export const noCertificate: CertificateValues = { name: '', description: '', cert: null, key: null }

const fileProblem = 'The file can no longer be read. Choose it again.'

/** Reads the files of a form; undefined if one no longer exists, with an error on its field. */
export async function readCertificate(
  { name, description, cert, key }: CertificateValues,
  form: UseFormReturn<CertificateValues>,
): Promise<CertificateCreate | undefined> {
  const read = (field: 'cert' | 'key', file: File | null) =>
    file!.text().catch(() => void form.setError(field, { message: fileProblem }))
  const texts = [await read('cert', cert), await read('key', key)] as const
  if (texts[0] === undefined || texts[1] === undefined) return undefined
  return { name, description, service: 'external_api', cert: texts[0], key: texts[1] }
}

type Props = {
  form: UseFormReturn<CertificateValues>
  /** Name of the silo, if it has one yet. */
  silo: string
  takenNames?: string[]
}

/** The fields of a certificate, with hints as soon as a file is chosen. */
export function CertificateFields({ form: { control }, silo, takenNames = [] }: Props) {
  const cert = useWatch({ control, name: 'cert' })
  return (
    <>
      <NameField
        control={control}
        validate={(name) =>
          takenNames.includes(name) ? 'A certificate with this name already exists' : undefined
        }
      />
      <DescriptionField control={control} />
      <FileField
        control={control}
        name="cert"
        label="Cert"
        description="The certificate of the host, then its chain, in PEM"
        accept=".pem,.crt,.cer"
      />
      {cert && <SoftChecks file={cert} silo={silo} />}
      <FileField
        control={control}
        name="key"
        label="Key"
        description="The private key, not encrypted, in PEM"
        accept=".pem,.key"
      />
    </>
  )
}
