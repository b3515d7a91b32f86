package io.coil.admin.rest;

import io.coil.admin.access.Caller;
import io.coil.admin.snapshot.Current;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;

import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import tools.jackson.databind.json.JsonMapper;

import java.util.List;

/** What the description of the REST API says besides what is found in the code. */
@Configuration(proxyBeanMethods = false)
class OpenApiDescription {
    static {
        SpringDocUtils.getConfig()
                .addRequestWrapperToIgnore(Current.class, Caller.class, Part.class);
    }

    @Bean
    OpenAPI openApi() {
        Components components =
                new Components()
                        .addSecuritySchemes(
                                "token",
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description("a token that the Kubernetes API accepts"));
        Refusals.addTo(components);
        return new OpenAPI()
                .info(
                        new Info()
                                .title("Coil")
                                .version("v1")
                                .license(
                                        new License()
                                                .name("Apache-2.0")
                                                .url("https://www.apache.org/licenses/LICENSE-2.0"))
                                .description(
                                        "Pools, blocks and addresses of a cluster, and collections."
                                                + " Tokens are those of the Kubernetes API, and so are"
                                                + " rights. Every answer says how old it is: in the body"
                                                + " (asOf, ageSeconds) and in the headers Coil-As-Of and"
                                                + " Age. Fields may be added; none is taken away or"
                                                + " changes its meaning within this version."))
                // The place where it is served, whatever its name is there.
                .servers(List.of(new Server().url("/")))
                .components(components)
                .addSecurityItem(new SecurityRequirement().addList("token"));
    }

    @Bean
    OperationCustomizer answers() {
        return new Answers();
    }

    @Bean
    ModelConverter records() {
        return new RecordModels();
    }

    @Bean
    OpenApiCustomizer merged() {
        return new Merged();
    }

    @Bean
    OpenApiCustomizer examples(JsonMapper json) {
        return new Examples(json);
    }
}
