import type { Image } from '@steading/api/client'
import { Tag } from '../../ui/tag.tsx'
import type { Option } from '../../ui/form/options.tsx'
import { Size, Truncate } from '../../ui/text.tsx'

/** The option for an image: its name above its properties. */
export function imageOption(image: Image, { marked = false } = {}): Option {
  const { id, name, os, version, size, projectId } = image
  return {
    value: id,
    label: name,
    content: (
      <span className="flex items-center gap-3 py-0.5">
        <span className="min-w-0 flex-1">
          <Truncate text={name} />
          <span className="block truncate text-xs text-tertiary">
            {os && `${os} / `}
            {version && `${version} / `}
            <Size bytes={size} />
          </span>
        </span>
        {marked && <Tag>{projectId ? 'Project image' : 'Silo image'}</Tag>}
      </span>
    ),
  }
}
