// Shows the OpenAPI document in Swagger UI. The token stays in the page: it is gone when the page is loaded again.

SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // By default a service on the internet would be asked whether the document is valid.
  validatorUrl: null,
});
