import { useNavigate, useParams } from '@tanstack/react-router'
import { usePrefetchedQuery } from '../../data/api.ts'
import { ImageDetails } from './image-details.tsx'
import { imageQuery } from './queries.ts'

export function ProjectImageView() {
  const navigate = useNavigate()
  const { project, image: name } = useParams({
    from: '/shell/projects-crumb/projects/$project/images/images/$image',
  })
  const { data: image } = usePrefetchedQuery(imageQuery(name, project))
  return (
    <ImageDetails
      image={image}
      onDismiss={() => void navigate({ to: '/projects/$project/images', params: { project } })}
    />
  )
}

export function SiloImageView() {
  const navigate = useNavigate()
  const { image: name } = useParams({ from: '/shell/silo/silo-images/images/$image' })
  const { data: image } = usePrefetchedQuery(imageQuery(name))
  return <ImageDetails image={image} onDismiss={() => void navigate({ to: '/images' })} />
}
