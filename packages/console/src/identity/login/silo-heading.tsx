import { Identicon } from '../../ui/identicon.tsx'

/** Where one signs in. */
export const SiloHeading = ({ silo }: { silo: string }) => (
  <div className="mb-8 flex items-center gap-3">
    <Identicon name={silo} size={40} />
    <div className="min-w-0">
      <div className="text-xs text-tertiary">Silo</div>
      <h1 className="truncate text-xl font-semibold">{silo}</h1>
    </div>
  </div>
)
