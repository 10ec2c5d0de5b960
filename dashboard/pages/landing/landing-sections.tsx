import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { check, plus } from '../../../widgets/kit/icon/icons.ts'
import { faq } from '../../content/faq.ts'
import { featureCards } from '../../content/features.ts'
import { callToAction, features, faqSection, tour } from '../../content/landing-sections.ts'
import { FeatureDrawing } from './feature-drawing.tsx'
import { ProductPicture } from './product-picture.tsx'
import { Testimonials } from './testimonials.tsx'

/** The landing page below its first screen. Links, the accordion and the loop work before any script has come. */
export function LandingSections() {
  return (
    <>
      <section className="wrap section" aria-labelledby="features-title">
        <div className="section-head">
          <h2 id="features-title">{features.title}</h2>
          <p>{features.text}</p>
        </div>
        <ul className="features">
          {featureCards.map(({ drawing, title, text }) => (
            <li key={title}>
              <FeatureDrawing of={drawing} />
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>

      <section className="wrap section tour" aria-labelledby="tour-title">
        <div className="tour-text">
          <h2 id="tour-title">{tour.title}</h2>
          <p>{tour.text}</p>
          <ul>
            {tour.points.map((point) => (
              <li key={point}>
                <Icon of={check} />
                {point}
              </li>
            ))}
          </ul>
        </div>
        <ProductPicture name="followed" alt="The dashboard after a launch: each recipient with its state" />
      </section>

      <Testimonials />

      <section className="wrap section faq" aria-labelledby="faq-title">
        <h2 id="faq-title">{faqSection.title}</h2>
        <div>
          {faq.map(({ question, answer }) => (
            // One name: the platform keeps only one of them open.
            <details key={question} name="faq">
              <summary>
                {question}
                <Icon of={plus} size={20} />
              </summary>
              <p>{answer}</p>
            </details>
          ))}
        </div>
      </section>

      <section className="closing wrap">
        <h2>{callToAction.title}</h2>
        <p>{callToAction.text}</p>
        <ButtonLink kind="primary" href="/signup">
          Start For Free
        </ButtonLink>
      </section>
    </>
  )
}
