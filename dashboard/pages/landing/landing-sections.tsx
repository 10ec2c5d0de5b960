import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { check, plus } from '../../../widgets/kit/icon/icons.ts'
import { faq } from '../../content/faq.ts'
import { featureCards } from '../../content/features.ts'
import { callToAction, features, faqSection, tour } from '../../content/landing-sections.ts'
import { FeatureDrawing } from './feature-drawing.tsx'
import { ProductPicture } from './product-picture.tsx'
import { Testimonials } from './testimonials.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** The landing page below its first screen. Links, the accordion and the loop work before any script has come. */
export function LandingSections() {
  const t = useText()
  return (
    <>
      <section className="wrap section" aria-labelledby="features-title">
        <div className="section-head">
          <h2 id="features-title">{t(features.title)}</h2>
          <p>{t(features.text.text, features.text.values)}</p>
        </div>
        <ul className="features">
          {featureCards.map(({ drawing, title, text }) => (
            <li key={title}>
              <FeatureDrawing of={drawing} />
              <h3>{t(title)}</h3>
              <p>{t(text)}</p>
            </li>
          ))}
        </ul>
      </section>

      <section className="wrap section tour" aria-labelledby="tour-title">
        <div className="tour-text">
          <h2 id="tour-title">{t(tour.title)}</h2>
          <p>{t(tour.text)}</p>
          <ul>
            {tour.points.map((point) => (
              <li key={point}>
                <Icon of={check} />
                {t(point)}
              </li>
            ))}
          </ul>
        </div>
        <ProductPicture name="followed" alt={t('The dashboard after a launch: each recipient with its state')} />
      </section>

      <Testimonials />

      <section className="wrap section faq" aria-labelledby="faq-title">
        <h2 id="faq-title">{t(faqSection.title)}</h2>
        <div>
          {faq.map(({ question, answer, values }) => (
            // With the same name the browser keeps only one of them open.
            <details key={question} name="faq">
              <summary>
                {t(question)}
                <Icon of={plus} size={20} />
              </summary>
              <p>{t(answer, values)}</p>
            </details>
          ))}
        </div>
      </section>

      <section className="closing wrap">
        <h2>{t(callToAction.title)}</h2>
        <p>{t(callToAction.text.text, callToAction.text.values)}</p>
        <ButtonLink kind="primary" href="/signup">
          {t('Start For Free')}
        </ButtonLink>
      </section>
    </>
  )
}
