-- The ten best customers of the last year, and how each compares with the year before.
WITH sums AS (
  SELECT
    customer_id,
    SUM(total) FILTER (WHERE ordered_at >= now() - interval '1 year') AS this_year,
    SUM(total) FILTER (WHERE ordered_at < now() - interval '1 year') AS last_year
  FROM orders
  WHERE ordered_at >= now() - interval '2 years'
  GROUP BY customer_id
)
SELECT
  c.name,
  s.this_year,
  s.last_year,
  ROUND(100 * (s.this_year - s.last_year) / NULLIF(s.last_year, 0), 1) AS change_percent,
  RANK() OVER (ORDER BY s.this_year DESC) AS place
FROM sums s
JOIN customers c ON c.id = s.customer_id
WHERE s.this_year IS NOT NULL
ORDER BY place
LIMIT 10;
