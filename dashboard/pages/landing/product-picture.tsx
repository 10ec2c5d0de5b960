import { pictures, type PictureName } from '../../pictures/pictures.ts'

/** A picture of the product in the colour scheme of the page, loaded near the viewport. */
export function ProductPicture({ name, alt }: { name: PictureName; alt: string }) {
  const { light, dark, width, height } = pictures[name]
  const size = { width, height, alt, loading: 'lazy', decoding: 'async' } as const
  return (
    <figure className="product-picture">
      <img className="in-light" src={light} {...size} />
      <img className="in-dark" src={dark} {...size} />
    </figure>
  )
}
